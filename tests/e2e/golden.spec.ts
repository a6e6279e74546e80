// The golden table on the optimised program that ships: every scenario of the gallery, run in a
// browser's worker, gives the fingerprint that the native program gives (core/tests/golden.rs).
import { readFileSync } from "node:fs";
import { expect, test } from "../fixtures";

type Answer = { Fingerprint?: { cycle: bigint; fingerprint: { Ok?: string; Err?: unknown } } };

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

test("the gallery has its golden fingerprints in the browser", async ({ open }) => {
  test.setTimeout(240_000);
  const table = read("core/tests/golden.txt").trim().split("\n");
  const runs = table.map((line) => {
    const [id, cycle] = line.split(" ");
    return { id, cycle, scenario_json: read(`scenarios/${id}.json`) };
  });
  const page = await open();
  const answers = await page.evaluate(async (runs) => {
    // As the page starts its workers (app/static/boot.js).
    const boot = document.getElementById("boot") as HTMLScriptElement;
    const { js, wasm } = boot.dataset;
    const module = await WebAssembly.compileStreaming(fetch(new URL(wasm!, boot.src)));
    const worker = new Worker(boot.src, { type: "module" });
    const next = () =>
      new Promise<unknown>((resolve, reject) => {
        worker.onmessage = (event) => resolve(event.data);
        worker.onerror = (event) => reject(new Error(event.message));
      });
    worker.postMessage([js, module]);
    await next();
    const answers: string[] = [];
    for (const { id, cycle, scenario_json } of runs) {
      worker.postMessage({ Fingerprint: { scenario_json, cycle: BigInt(cycle) } });
      const answer = (await next()) as Answer;
      const { Fingerprint: run } = answer;
      // Not JSON.stringify alone, which refuses a BigInt.
      const text = (value: unknown) => JSON.stringify(value, (_, part) => (typeof part === "bigint" ? `${part}` : part));
      answers.push(`${id} ${run?.cycle} ${run?.fingerprint.Ok ?? text(answer)}`);
    }
    worker.terminate();
    return answers;
  }, runs);
  expect(answers).toEqual(table);
});
