import type { Page } from 'playwright';

/** Does what a translating browser does: wraps every text in two font elements. */
export async function translatePage(page: Page): Promise<void> {
  await page.evaluate(() => {
    const walker = document.createTreeWalker(
      document.querySelector('#root') ?? document.body,
      NodeFilter.SHOW_TEXT,
    );
    const texts: Node[] = [];
    while (walker.nextNode() !== null) texts.push(walker.currentNode);
    for (const text of texts) {
      if (text.textContent?.trim() === '' || text.parentElement?.tagName === 'FONT') continue;
      const [outer, inner] = [document.createElement('font'), document.createElement('font')];
      inner.textContent = text.textContent;
      outer.append(inner);
      text.parentNode?.replaceChild(outer, text);
    }
    document.documentElement.lang = 'es';
    document.documentElement.classList.add('translated-ltr');
  });
}
