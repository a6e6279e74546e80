// The golden table on the optimised program that ships: every scenario of the gallery, run in a
// browser's worker, gives the fingerprint that the native program gives (core/tests/golden.rs).
import { readFileSync } from "node:fs";
import { expect, fingerprints, test } from "../fixtures";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

test("the gallery has its golden fingerprints in the browser", async ({ open }) => {
  test.setTimeout(240_000);
  const table = read("core/tests/golden.txt").trim().split("\n");
  const runs = table.map((line) => {
    const [id, cycle] = line.split(" ");
    return { id, cycle: Number(cycle), scenario_json: read(`scenarios/${id}.json`) };
  });
  const answers = await fingerprints(await open(), runs);
  expect(answers.map(({ cycle, fingerprint }, i) => `${runs[i].id} ${cycle} ${fingerprint}`)).toEqual(table);
});
