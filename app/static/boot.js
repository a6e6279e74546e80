// Starts the page. A file of its own, because the content security policy forbids inline scripts.
const { js, wasm } = document.getElementById("boot").dataset;
const page = (path) => new URL(path, document.baseURI);

try {
  const { default: init } = await import(page(js));
  await init({ module_or_path: page(wasm) });
} catch (error) {
  const note = document.createElement("p");
  note.setAttribute("role", "alert");
  note.textContent = `Hopscope could not start: ${error}. A recent browser with WebAssembly is needed.`;
  document.body.append(note);
  throw error;
}
