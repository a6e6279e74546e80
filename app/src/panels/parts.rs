//! Elements that many panels have.

use yew::prelude::*;

/// The heading of a card.
pub fn heading(words: impl Into<AttrValue>) -> Html {
    let words: AttrValue = words.into();
    html! { <h2>{words}</h2> }
}

/// A paragraph that explains what stands near it.
pub fn hint(words: impl Into<AttrValue>) -> Html {
    let words: AttrValue = words.into();
    html! { <p class="hint">{words}</p> }
}

/// The head of a table's column.
pub fn column(words: impl Into<AttrValue>) -> Html {
    let words: AttrValue = words.into();
    html! { <th scope="col">{words}</th> }
}

/// A button with words.
pub fn button(words: impl Into<AttrValue>, onclick: Callback<MouseEvent>) -> Html {
    let words: AttrValue = words.into();
    html! { <button class="button" {onclick}>{words}</button> }
}
