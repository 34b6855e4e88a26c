/** Asks for a file as a link would. What isn't a file fails as a download and leaves the page alone. */
export function startDownload(href: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = '';
  document.body.append(link);
  link.click();
  link.remove();
}
