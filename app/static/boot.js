// Starts the program, in the page and in its workers. A file of its own, because the content security policy forbids
// inline scripts.
//
// The program comes in two parts (xtask/wasm-bindgen/src/parts.rs). The first starts and runs the first scenario; the page
// brings the rest right after and gives it to its workers.
const { search } = new URL(import.meta.url);
const REST = new URL(`rest.wasm${search}`, import.meta.url);
let rest;

// Somebody was quicker than the network: what is needed now is waited for.
function restNow() {
  const request = new XMLHttpRequest();
  request.open("GET", REST, false);
  // Pages may not ask for bytes in this way, so they come as letters.
  request.overrideMimeType("text/plain; charset=x-user-defined");
  request.send();
  if (request.status !== 200) throw new Error(`${REST} is not there: ${request.status}`);
  return new WebAssembly.Module(Uint8Array.from(request.response, (letter) => letter.charCodeAt(0)));
}

async function bringRest() {
  const PAUSE_MS = 5000;
  for (;;) {
    try {
      const response = await fetch(REST);
      if (!response.ok) throw new Error(response.statusText);
      return await WebAssembly.compile(await response.arrayBuffer());
    } catch (error) {
      console.info(`the rest of Hopscope is not there yet: ${error}`);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

// What the program calls (app/src/rest.rs).
const hopscope = {
  attach(first) {
    rest ??= restNow();
    new WebAssembly.Instance(rest, { first });
  },
};
globalThis.hopscope = hopscope;

// A worker's first message brings the page's own program: the address of the JavaScript and the module compiled already.
// So nothing is downloaded twice, and page and worker are always of one build.
function startWorker() {
  addEventListener("message", async (event) => {
    const { data } = event;
    if (data instanceof WebAssembly.Module) {
      rest = data;
      event.stopImmediatePropagation();
    } else if (data.js) {
      try {
        const { default: init } = await import(data.js);
        await init({ module_or_path: data.module });
      } catch (error) {
        // Words instead of a message: there is no worker (app/src/page/worker_link.rs).
        postMessage(`worker did not start: ${error}`);
        throw error;
      }
    }
  });
}

async function startPage() {
  const { js, wasm } = document.getElementById("boot").dataset;
  const page = (path) => new URL(path, document.baseURI).href;
  const build = document.querySelector("meta[name=hopscope-build]").content;
  // A build to work on is in one part.
  const brought = new Promise((resolve) => {
    hopscope.bring = () => build !== "dev" && resolve(bringRest());
  });
  hopscope.start = (worker, module) => {
    worker.postMessage({ js: page(js), module });
    brought.then((rest) => worker.postMessage(rest));
  };
  brought.then((module) => (rest ??= module));

  try {
    const [{ default: init }] = await Promise.all([import(page(js)), import(page(`draw.js${search}`))]);
    await init({ module_or_path: page(wasm) });
  } catch (error) {
    const note = document.createElement("p");
    note.setAttribute("role", "alert");
    note.textContent = `Hopscope could not start: ${error}. A recent browser with WebAssembly is needed.`;
    document.body.append(note);
    throw error;
  }
  // Whatever keeps the first scenario from running.
  const PATIENCE_MS = 10_000;
  setTimeout(hopscope.bring, PATIENCE_MS);
  await brought;
  // A service worker fetches all files, so it waits too.
  if (build !== "dev" && "serviceWorker" in navigator) await keepOffline(page("sw.js"), build);
}

// Keeps the page for use without a network, and asks for newer versions of it. Only a release has a service worker.
async function keepOffline(script, build) {
  const HOUR_MS = 3_600_000;
  // The page says so, in its own words (app/src/panels/troubles.rs).
  const tell = (what) => window.dispatchEvent(new Event(`hopscope-${what}`));
  try {
    const kept = await navigator.serviceWorker.register(script);
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

if (globalThis.document) await startPage();
else startWorker();
