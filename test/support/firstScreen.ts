import type { Page } from 'playwright';

/** What a visitor sees without scrolling, without the form's specified sentence, and what is wrong with it. */
export const readFirstScreen = (page: Page) =>
  page.evaluate(() => {
    const bar = document.querySelector('[data-call-bar]');
    const bottom = bar?.checkVisibility() === true ? bar.getBoundingClientRect().top : innerHeight;
    const isIn = ({ top, bottom: end, width }: DOMRect, limit = bottom): boolean =>
      width > 1 && top >= 0 && end <= limit && end > 0;
    const texts: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(node);
      const isShown = node.parentElement?.checkVisibility({ visibilityProperty: true }) === true;
      const box = node.parentElement?.getBoundingClientRect();
      if (node.parentElement?.closest('#provider-form') !== null) continue;
      if (isShown && box !== undefined && box.width > 1 && isIn(range.getBoundingClientRect(), innerHeight))
        texts.push(node.textContent?.trim() ?? '');
    }
    const main = document.querySelector('main');
    const isEmpty = (element: Element): boolean =>
      element.checkVisibility() &&
      element.textContent?.trim() === '' &&
      element.querySelector('img, svg, input, button, canvas, video, output') === null;
    const headings = [...(main?.querySelectorAll('h1, h2, h3, h4') ?? [])];
    return {
      texts: texts.filter((text) => text !== ''),
      name: isIn(document.querySelector('h1')?.getBoundingClientRect() ?? new DOMRect()),
      phone: isIn(document.querySelector('main a[href^="tel:"]')?.getBoundingClientRect() ?? new DOMRect()),
      town: isIn(document.querySelector('main address')?.getBoundingClientRect() ?? new DOMRect()),
      field: isIn(document.querySelector('#field-first_name')?.getBoundingClientRect() ?? new DOMRect()),
      toForm: isIn(
        bar?.querySelector('a[href="#provider-form"]')?.getBoundingClientRect() ?? new DOMRect(),
        innerHeight,
      ),
      scrolls: document.documentElement.scrollWidth > innerWidth,
      empty: [...(main?.querySelectorAll('p, li, ul, dl, dd, td, table, address, section, h1, h2, h3') ?? [])]
        .filter((element) => isEmpty(element))
        .map((element) => element.outerHTML.slice(0, 120)),
      bareHeadings: headings
        .filter((heading) => heading.parentElement?.textContent === heading.textContent)
        .filter((heading) => heading.parentElement?.parentElement?.textContent === heading.textContent)
        .map((heading) => heading.textContent),
      bands: [...document.querySelectorAll('main, main *')].filter((element) => {
        const probe = document.createElement('i');
        probe.style.color = 'var(--primary)';
        document.body.append(probe);
        const primary = getComputedStyle(probe).color;
        probe.remove();
        return (
          element.clientWidth >= innerWidth * 0.9 && getComputedStyle(element).backgroundColor === primary
        );
      }).length,
    };
  });
