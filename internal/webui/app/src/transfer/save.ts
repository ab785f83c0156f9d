/** Saves a file as a download. It is created in the page; nothing is sent. */
export function save(name: string, type: string, ...content: BlobPart[]) {
  const address = URL.createObjectURL(new Blob(content, { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
