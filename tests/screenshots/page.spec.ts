import { fileURLToPath } from "node:url";
import { test } from "../fixtures";

const pictures = fileURLToPath(new URL("../../docs/pictures/", import.meta.url));

test("the page", async ({ open }) => {
  const page = await open();
  await page.screenshot({ path: `${pictures}page.png` });
});
