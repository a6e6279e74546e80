// Random scenarios, run by the command line and in the browser's worker: both give the same
// fingerprint, or both refuse.
//
// HOPSCOPE_CASES sets the number of scenarios, HOPSCOPE_FIRST the first seed.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, fingerprints, test } from "../fixtures";

const root = fileURLToPath(new URL("../../", import.meta.url));
const cases = Number(process.env.HOPSCOPE_CASES ?? 40);
const first = Number(process.env.HOPSCOPE_FIRST ?? 1);
const CYCLES = 5000;
// What `cargo xtask test` builds, or another build.
const native = process.env.HOPSCOPE_NATIVE ?? `${root}target/debug/hopscope`;

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

// A generator of 32 bits (mulberry32), so that a seed gives the same scenario everywhere.
function random(seed: number) {
  return (below: number) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

// All members of objects, with the objects they are in.
function* members(node: Json): Generator<[{ [key: string]: Json }, string]> {
  if (typeof node !== "object" || node === null) return;
  if (!Array.isArray(node)) for (const key of Object.keys(node)) yield [node, key];
  for (const value of Object.values(node)) yield* members(value);
}

const files = readdirSync(`${root}scenarios`).filter((name) => name.endsWith(".json"));
const scenarios: Json[] = files.map((name) => JSON.parse(readFileSync(`${root}scenarios/${name}`, "utf8")));

// Every value that some scenario has for a key.
const known = new Map<string, Json[]>();
for (const [object, key] of scenarios.flatMap((scenario) => [...members(scenario)])) {
  known.set(key, [...(known.get(key) ?? []), object[key]]);
}

// A scenario of the gallery, in which some values are changed: numbers a little, others to what
// another scenario has there.
function changed(seed: number) {
  const below = random(seed);
  const scenario = structuredClone(scenarios[below(scenarios.length)]) as { [key: string]: Json };
  for (let changes = 1 + below(4); changes > 0; changes--) {
    const places = [...members(scenario)].filter(([, key]) => !["hopscope", "name", "notes"].includes(key));
    const [object, key] = places[below(places.length)];
    const value = object[key];
    const others = known.get(key) ?? [value];
    if (typeof value === "number" && below(2)) {
      object[key] = Number.isInteger(value) ? Math.max(0, value + below(7) - 3) : value * (0.5 + below(100) / 100);
    } else {
      object[key] = structuredClone(others[below(others.length)]);
    }
  }
  // The last cycle alone ends the run: else it would end within a cycle.
  scenario.measure = { warmup_messages: 0, messages: 1_000_000_000, max_cycles: CYCLES };
  return JSON.stringify(scenario);
}

// The fingerprint at the end of a native run, or nothing if the scenario is refused.
function ranNatively(scenario: string) {
  const run = spawnSync(native, ["run", "-", "--json"], { input: scenario, encoding: "utf8", maxBuffer: 1e9 });
  expect([0, 1, 2], run.stderr).toContain(run.status);
  const { fingerprint } = JSON.parse(run.stdout || "{}") as { fingerprint?: string };
  return fingerprint;
}

test("random scenarios have the same results in the browser as natively", async ({ open }) => {
  test.setTimeout(120_000 + cases * 5_000);
  expect(existsSync(native), `${native} is there: cargo build --package hopscope`).toBe(true);
  const seeds = Array.from({ length: cases }, (_, i) => first + i);
  const runs = seeds.map((seed) => {
    const scenario_json = changed(seed);
    return { seed, scenario_json, expected: ranNatively(scenario_json) };
  });
  const tasks = runs.map(({ scenario_json }) => ({ scenario_json, cycle: CYCLES }));
  const answers = await fingerprints(await open(), tasks);
  const told = ({ seed }: { seed: number }, what: string) => `seed ${seed}: ${what}`;
  const wanted = runs.map((run) => told(run, run.expected ?? "refused"));
  expect(runs.map((run, i) => told(run, answers[i].fingerprint ?? "refused"))).toEqual(wanted);
  const ran = runs.filter((run) => run.expected).length;
  console.log(`${ran} of ${cases} scenarios ran, the others were refused by both`);
  expect(ran, "enough of them are valid").toBeGreaterThan(cases / 4);
});
