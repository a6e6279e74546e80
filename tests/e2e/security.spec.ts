// The page fetches its own files only, and what strangers write in names and files stays text.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { count, dist, expect, fast, play, test } from "../fixtures";

// Markup that would run a script, or fetch from another host, if it were markup.
const MARKUP = `"><img src=http://evil.test/x onerror=window.ran=1><script>window.ran=1</script>`;
// The same as it stands in XML and in a quoted name of DOT.
const IN_XML = MARKUP.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
const IN_DOT = MARKUP.replaceAll('"', '\\"');

const SCENARIO = {
  hopscope: 1,
  name: `name ${MARKUP}`,
  description: `description ${MARKUP}`,
  network: {
    switches: [{ name: `a ${MARKUP}`, ports: 4 }, { name: `b ${MARKUP}`, ports: 4 }],
    hosts: [
      { name: `h ${MARKUP}`, switch: 0, port: 0 },
      { name: `i ${MARKUP}`, switch: 1, port: 0 },
    ],
    links: [{ a: [0, 1], b: [1, 1] }],
  },
  fabric: {
    kind: "cut-through",
    qos: { levels: [{ name: `level ${MARKUP}` }], vfabrics: [{ name: `vf ${MARKUP}`, class: 0 }] },
  },
  traffic: [{ name: `flow ${MARKUP}`, load: 0.1 }],
  measure: { warmup_messages: 10, messages: 2000 },
};

const pick = (page: Page, name: string, text: string) =>
  page.locator("input[type=file]").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });

// No script of a file ran and no element came of it. The fixtures fail on requests to other hosts
// and on violations of the policy.
async function staysText(page: Page) {
  expect(await page.evaluate(() => "ran" in window)).toBe(false);
  await expect(page.locator("img")).toHaveCount(0);
  await expect(page.locator("script:not(#boot)")).toHaveCount(0);
  await expect(page.locator("[onerror]")).toHaveCount(0);
}

const showEveryPanel = async (page: Page) => {
  for (const tab of await page.getByRole("tab").all()) {
    await tab.click();
    await staysText(page);
  }
};

test("the built page allows its own files and WebAssembly, and nothing else", () => {
  const html = readFileSync(join(dist, "index.html"), "utf8");
  const [, policy] = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(html)!;
  const directives = new Map(
    policy.split(";").map((directive) => {
      const [name, ...sources] = directive.trim().split(/\s+/);
      return [name, sources] as const;
    }),
  );
  expect(directives.get("default-src")).toEqual(["'none'"]);
  expect(directives.get("script-src")).toEqual(["'self'", "'wasm-unsafe-eval'"]);
  // Pictures of the stage and icons are data of the page itself.
  expect(directives.get("img-src")).toEqual(["'self'", "data:", "blob:"]);
  for (const [name, sources] of directives) {
    if (["script-src", "img-src"].includes(name)) continue;
    expect([["'self'"], ["'none'"]], name).toContainEqual(sources);
  }
  // The policy stands before everything that it governs.
  expect(html.indexOf("Content-Security-Policy")).toBeLessThan(html.search(/<(script|link|style)/));
  for (const name of ["index.html", "guide.html"]) {
    const served = readFileSync(join(dist, name), "utf8");
    expect(served, name).not.toMatch(/\sstyle=|<style|\son\w+=|<script(?![^>]*\ssrc=)/i);
    expect(served, name).not.toMatch(/(src|href)="(https?:)?\/\//i);
  }
});

test("every request of a session stays on the page's own host", async ({ open, context, address }) => {
  const requests: string[] = [];
  context.on("request", (request) => requests.push(request.url()));
  const page = await open();
  await fast(page);
  await play(page);
  await expect.poll(() => count(page, "delivered")).toBeGreaterThan(100);
  await showEveryPanel(page);
  await page.getByRole("button", { name: "Study", exact: true }).click();
  await expect(page.locator("#study")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.locator("#worker")).toHaveAttribute("data-kept", "yes");
  await page.reload();
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  await page.goto("./guide.html");
  const own = [address, `blob:${address}`, "data:"];
  expect(requests.filter((url) => !own.some((start) => url.startsWith(start)))).toEqual([]);
  // The service worker's requests are among them.
  expect(requests.filter((url) => url.startsWith(address)).length).toBeGreaterThan(8);
});

test("the policy stops what a script on the page would fetch or run", async ({ open, troubles }) => {
  const page = await open();
  const fetched = await page.evaluate(() => fetch("http://127.0.0.1:9/x").then(() => "fetched", () => "refused"));
  expect(fetched).toBe("refused");
  const ran = await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "window.ran = 1";
    document.body.append(script);
    return "ran" in window;
  });
  expect(ran).toBe(false);
  await expect.poll(() => troubles.filter((line) => /content security policy/i.test(line)).length).toBeGreaterThanOrEqual(2);
  troubles.length = 0;
});

test("markup in every name of a scenario shows as text", async ({ open }) => {
  test.slow();
  const page = await open();
  await pick(page, "markup.json", JSON.stringify(SCENARIO));
  await expect(page.getByRole("textbox", { name: "Name of the scenario" })).toHaveValue(SCENARIO.name);
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  await expect(page.locator("body")).toContainText(SCENARIO.description);
  await showEveryPanel(page);
  await fast(page);
  await play(page);
  await page.getByRole("tab", { name: "Watch" }).click();
  await expect.poll(() => count(page, "delivered")).toBeGreaterThan(200);
  await showEveryPanel(page);
  // The picture of the stage is well-formed, and the markup is text in it, too.
  await page.keyboard.press("Control+e");
  const saving = page.waitForEvent("download");
  await page.getByRole("dialog").getByRole("button", { name: "SVG" }).click();
  const svg = readFileSync(await (await saving).path(), "utf8");
  const elements = await page.evaluate((text) => {
    const root = new DOMParser().parseFromString(text, "image/svg+xml");
    return [...root.querySelectorAll("*")].map((element) => element.localName.toLowerCase());
  }, svg);
  for (const name of ["parsererror", "script", "img", "image", "foreignobject"]) expect(elements).not.toContain(name);
  await staysText(page);
});

test("markup in an experiment shows as text, in its figure, too", async ({ open }) => {
  test.slow();
  const page = await open();
  const experiment = {
    hopscope_experiment: 1,
    name: `experiment ${MARKUP}`,
    base: SCENARIO,
    axes: [{ path: "traffic.0.load", values: [0.05, 0.1] }],
  };
  await pick(page, "markup.json", JSON.stringify(experiment));
  await expect(page.locator("#study")).toBeVisible();
  await page.locator("#run-study").click();
  await expect(page.locator("#progress")).toHaveAttribute("data-phase", "over");
  await expect(page.locator("#study-figure svg title")).toContainText(MARKUP);
  await staysText(page);
});

for (const [name, text, shown] of [
  ["markup.dot", `graph "${IN_DOT}" {\n  "a ${IN_DOT}" -- "b ${IN_DOT}";\n}\n`, "Switches: 2"],
  [
    "markup.graphml",
    `<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><key id="n" for="node" attr.name="label" attr.type="string"/>
     <graph edgedefault="undirected"><node id="a"><data key="n">a ${IN_XML}</data></node>
     <node id="b"><data key="n">b ${IN_XML}</data></node><edge source="a" target="b"/></graph></graphml>`,
    "Switches: 2",
  ],
  [
    "markup.topo",
    ["a", "b"].map((x, i) => `Switch 4 "S-000000000000000${i}" # "${x} ${MARKUP.replaceAll('"', "'")}" base port 0 lid 1 lmc 0\n[1] "S-000000000000000${1 - i}"[1] # "x" lid 2 4xDDR\n`).join("\n"),
    "Switches: 2",
  ],
  [`${MARKUP}.any`, "router 0 node 0 router 1\nrouter 1 node 1 router 0\n", "Switches: 2"],
  ["markup.any", `router 0 node 0\nrouter 1 ${MARKUP}\n`, undefined],
  ["markup.json", `{ "hopscope": 1, ${JSON.stringify(MARKUP)}: 1 }`, undefined],
] as const) {
  test(`markup in a file shows as text: ${name.slice(0, 14)}${shown ? "" : ", refused"}`, async ({ open }) => {
    const page = await open();
    await pick(page, name, text);
    if (shown) {
      await expect(page.locator("#import-counts")).toContainText(shown);
      await staysText(page);
      await page.getByRole("dialog").getByRole("button", { name: "Open it" }).click();
      await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
      await showEveryPanel(page);
    } else {
      await expect(page.locator("#file-problems")).toContainText("\"><img");
      await staysText(page);
    }
  });
}

test("links and frames with markup or addresses fetch nothing", async ({ open, page, address }) => {
  test.slow();
  await open();
  await pick(page, "markup.json", JSON.stringify(SCENARIO));
  await expect(page.getByRole("textbox", { name: "Name of the scenario" })).toHaveValue(SCENARIO.name);
  await expect(page).toHaveURL(/#s=/);
  const link = new URL(page.url()).hash;
  const fragments = [
    link,
    `#s=${encodeURIComponent(MARKUP)}`,
    `#lesson=${encodeURIComponent(MARKUP)}`,
    "#lesson=http://evil.test/lesson.json",
    "#lesson=//evil.test/lesson.json&lock",
    `${link}&study=http://evil.test/study.json`,
  ];
  for (const fragment of fragments) {
    await page.goto("about:blank");
    await page.goto(`./${fragment}`);
    await expect(page.locator("#worker")).toHaveAttribute("data-state", "ready");
    await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
    await staysText(page);
  }
  // In a frame of another page, whose own address the fixtures allow.
  await page.route(`${address}class.html`, (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<!doctype html><link rel="icon" href="data:,"><iframe src="${address}${link}" width="900" height="700"></iframe>`,
    }),
  );
  await page.goto("./class.html");
  const frame = page.frameLocator("iframe");
  await expect(frame.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  await expect(frame.locator("img")).toHaveCount(0);
  await expect(frame.locator("script:not(#boot)")).toHaveCount(0);
});
