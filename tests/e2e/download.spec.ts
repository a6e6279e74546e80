// The budget for the download: all files that a visitor may ever fetch.
import { download, expect, files, test } from "../fixtures";

const MOST_GZIP_KB = 1500;

test("all files of the page together stay within the budget", () => {
  expect(download(files())).toBeLessThan(MOST_GZIP_KB);
});
