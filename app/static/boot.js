// Starts the page. A file of its own, because the content security policy forbids inline scripts.
const { js, wasm } = document.getElementById("boot").dataset;
const build = document.querySelector("meta[name=hopscope-build]").content;
const page = (path) => new URL(path, document.baseURI);

try {
  const [{ default: init }] = await Promise.all([import(page(js)), import(page(`draw.js?v=${build}`))]);
  await init({ module_or_path: page(wasm) });
} catch (error) {
  const note = document.createElement("p");
  note.setAttribute("role", "alert");
  note.textContent = `Hopscope could not start: ${error}. A recent browser with WebAssembly is needed.`;
  document.body.append(note);
  throw error;
}

// Keeps the page for use without a network, and asks for newer versions of it. Only a release has a service worker.
if (build !== "dev" && "serviceWorker" in navigator) {
  const HOUR_MS = 3_600_000;
  // The page says so, in its own words (app/src/panels/troubles.rs).
  const tell = (what) => window.dispatchEvent(new Event(`hopscope-${what}`));
  try {
    const kept = await navigator.serviceWorker.register(page("sw.js"));
    kept.addEventListener("updatefound", () => {
      const newest = kept.installing;
      newest?.addEventListener("statechange", async () => {
        if (newest.state !== "activated") return;
        // What is kept may be the build this page is of: it came first, or the page from the network was newer.
        const builds = await caches.keys();
        tell(builds.at(-1) === `hopscope-${build}` ? "kept" : "renewed");
      });
    });
    if (kept.active) tell("kept");
    const ask = () => kept.update().catch(() => {});
    setInterval(ask, HOUR_MS);
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && ask());
  } catch (error) {
    // Private windows and plain http forbid it; all else works.
    console.info(`Hopscope is not kept for use without a network: ${error}`);
  }
}
