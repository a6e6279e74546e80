//! Results of studies in IndexedDB, point by point, so that a study goes on after a reload.
//!
//! The database is not that of the documents: another version of that one could not be opened while
//! a tab with the older page is open.

use super::browser;
use super::storage::{open_database, settled};
use crate::state::study::StoredStudy;
use js_sys::Array;
use wasm_bindgen::prelude::*;
use web_sys::{IdbDatabase, IdbKeyRange, IdbObjectStore, IdbTransactionMode};

const DATABASE: &str = "hopscope-studies";
const STUDIES: &str = "studies";
const RESULTS: &str = "results";
/// The number of studies stored; the one run longest ago is deleted first.
const MAX_STORED: usize = 20;

/// The open database.
pub struct StudyStorage {
    database: IdbDatabase,
    /// The build of the page. Another build may give other results, so it does not see these.
    build: String,
}

impl StudyStorage {
    /// Opens the database; `None` where the browser stores nothing.
    pub async fn open() -> Option<StudyStorage> {
        let database = open_database(DATABASE, &[STUDIES, RESULTS]).await?;
        Some(StudyStorage { database, build: browser::build() })
    }

    /// Stores a study, without results, and deletes the oldest of too many.
    ///
    /// # Errors
    /// The error of the browser, as when its storage is full.
    pub async fn save(&self, study: &StoredStudy) -> Result<(), JsValue> {
        let store = self.store(STUDIES, IdbTransactionMode::Readwrite)?;
        let words = [&self.build, &study.key, &study.name, &study.experiment_json];
        let record: Array = words.iter().map(|words| JsValue::from_str(words)).collect();
        record.push(&js_sys::Date::now().into());
        record.push(&(study.points as f64).into());
        settled(&store.put_with_key(&record, &self.key(&study.key))?).await?;
        for old in self.records().await.into_iter().skip(MAX_STORED) {
            self.delete(&old.0, &old.1.key).await?;
        }
        Ok(())
    }

    /// Stores the result of a point.
    ///
    /// # Errors
    /// The error of the browser, as when its storage is full.
    pub fn save_result(&self, key: &str, point: usize, result: &str) -> Result<(), JsValue> {
        let store = self.store(RESULTS, IdbTransactionMode::Readwrite)?;
        let record = Array::of2(&(point as f64).into(), &result.into());
        store.put_with_key(&record, &self.point_key(key, point))?;
        Ok(())
    }

    /// The stored results of a study.
    pub async fn results(&self, key: &str) -> Vec<(usize, String)> {
        let request = self
            .store(RESULTS, IdbTransactionMode::Readonly)
            .and_then(|store| store.get_all_with_key(&points_of(&self.build, key)?.into()));
        let Ok(request) = request else { return Vec::new() };
        let found = settled(&request).await.map(|list| Array::from(&list)).unwrap_or_default();
        let result = |record: JsValue| {
            let record: Array = record.dyn_into().ok()?;
            Some((record.get(0).as_f64()? as usize, record.get(1).as_string()?))
        };
        found.iter().filter_map(result).collect()
    }

    /// The stored studies of this build, the one run last first.
    pub async fn all(&self) -> Vec<StoredStudy> {
        let mut all = Vec::new();
        for (build, study) in self.records().await {
            if build == self.build {
                let done = self.count(&study.key).await.unwrap_or(0);
                all.push(StoredStudy { done, ..study });
            }
        }
        all
    }

    /// Deletes a study with its results.
    pub async fn remove(&self, key: &str) {
        self.delete(&self.build, key).await.ok();
    }

    async fn delete(&self, build: &str, key: &str) -> Result<(), JsValue> {
        let studies = self.store(STUDIES, IdbTransactionMode::Readwrite)?;
        settled(&studies.delete(&Array::of2(&build.into(), &key.into()).into())?).await?;
        let results = self.store(RESULTS, IdbTransactionMode::Readwrite)?;
        settled(&results.delete(&points_of(build, key)?.into())?).await?;
        Ok(())
    }

    async fn count(&self, key: &str) -> Option<usize> {
        let store = self.store(RESULTS, IdbTransactionMode::Readonly).ok()?;
        let range = points_of(&self.build, key).ok()?;
        let count = settled(&store.count_with_key(&range.into()).ok()?).await.ok()?;
        count.as_f64().map(|count| count as usize)
    }

    /// The studies of all builds with their build, the one run last first.
    async fn records(&self) -> Vec<(String, StoredStudy)> {
        let request =
            self.store(STUDIES, IdbTransactionMode::Readonly).and_then(|store| store.get_all());
        let Ok(request) = request else { return Vec::new() };
        let found = settled(&request).await.map(|list| Array::from(&list)).unwrap_or_default();
        let study = |record: JsValue| {
            let record: Array = record.dyn_into().ok()?;
            let words = |i| record.get(i).as_string();
            let study = StoredStudy {
                key: words(1)?,
                name: words(2)?,
                experiment_json: words(3)?,
                changed_ms: record.get(4).as_f64()?,
                points: record.get(5).as_f64()? as usize,
                done: 0,
            };
            Some((words(0)?, study))
        };
        let mut all: Vec<(String, StoredStudy)> = found.iter().filter_map(study).collect();
        all.sort_by(|a, b| b.1.changed_ms.total_cmp(&a.1.changed_ms));
        all
    }

    fn key(&self, key: &str) -> JsValue {
        Array::of2(&self.build.as_str().into(), &key.into()).into()
    }

    fn point_key(&self, key: &str, point: usize) -> JsValue {
        let build = self.build.as_str().into();
        Array::of3(&build, &key.into(), &(point as f64).into()).into()
    }

    fn store(&self, name: &str, mode: IdbTransactionMode) -> Result<IdbObjectStore, JsValue> {
        self.database.transaction_with_str_and_mode(name, mode)?.object_store(name)
    }
}

/// The keys of all points of a study: in the order of keys, a list comes after every number.
fn points_of(build: &str, key: &str) -> Result<IdbKeyRange, JsValue> {
    let first = Array::of2(&build.into(), &key.into());
    let last = Array::of3(&build.into(), &key.into(), &Array::new());
    IdbKeyRange::bound(&first, &last)
}
