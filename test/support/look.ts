import type { Page } from 'playwright';

/**
 * What the look refuses: gradients, shadows, and the number of bands in the color of what can be pressed. Only the
 * slider of hues may have a gradient: the scale that it goes through.
 */
export const readLook = (page: Page) =>
  page.evaluate(() => {
    const primary = getComputedStyle(document.documentElement).getPropertyValue('--primary').trim();
    const probe = Object.assign(document.createElement('i'), { style: `color: ${primary}` });
    document.body.append(probe);
    const violet = getComputedStyle(probe).color;
    probe.remove();
    const elements = [...document.querySelectorAll('body, body *:not(input[name=hue])')];
    const decorated = elements.filter((element) =>
      [null, '::before', '::after'].some((part) => {
        const { backgroundImage, boxShadow, textShadow } = getComputedStyle(element, part);
        return /gradient/.test(backgroundImage) || boxShadow !== 'none' || textShadow !== 'none';
      }),
    );
    const bands = elements.filter(
      (element) =>
        element.clientWidth > innerWidth * 0.9 && getComputedStyle(element).backgroundColor === violet,
    );
    return {
      seen: elements.length > 20,
      decorated: decorated.map((element) => element.outerHTML.slice(0, 80)),
      bands: bands.length,
    };
  });
