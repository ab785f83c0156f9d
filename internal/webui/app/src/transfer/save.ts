/** Hands a file to the browser. It is made in the page: nothing is sent anywhere. */
export function save(name: string, type: string, ...content: BlobPart[]) {
  const address = URL.createObjectURL(new Blob(content, { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
