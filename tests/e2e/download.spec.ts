// The budget for the download: all files that a visitor may ever fetch, compressed by Brotli, which
// every browser accepts. Hosts that compress by gzip alone send a third more.
import { brotliCompressSync } from "node:zlib";
import { download, expect, files, test } from "../fixtures";

const MOST_KB = 1500;

test("all files of the page together stay within the budget", () => {
  expect(download(files(), (bytes) => brotliCompressSync(bytes))).toBeLessThan(MOST_KB);
});
