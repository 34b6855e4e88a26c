import { createGlobalStyle } from 'styled-components';
import { fontFamily } from './fonts.ts';
import { hueShades, type Shade } from '#shared/pages/hueShades.ts';
import { modals } from './layers.ts';
import { lightSurface, media, token, tokenDeclarations, variableName } from './tokens.ts';

/** The CSS color of a shade at the hue that the server writes on the root element as `--hue`. */
function atTenantHue({ lightness, chroma }: Shade): string {
  return `oklch(${lightness} ${chroma} var(--hue))`;
}

/** A provider's hue changes all brand colors. `--hue` is on the root, or on the element of a dashboard preview. */
export const tenantHue = Object.entries(hueShades)
  .map(([name, shade]) => `${variableName(name)}: ${atTenantHue(shade)};`)
  .join('\n');

export const GlobalStyle = createGlobalStyle`
  :root {
    ${tokenDeclarations}
    ${lightSurface}
    --header-size: 3.5rem;
    /* What the header covers of the window while the page is scrolled. */
    --header-cover: var(--header-size);
    color-scheme: light;
  }

  ${media.desktop} {
    :root {
      --header-size: 4rem;
    }
  }

  ${media.low} {
    :root {
      --header-cover: 0rem;
    }
  }

  :root[data-themed] {
    ${tenantHue}
  }

  *, *::before, *::after {
    box-sizing: border-box;
  }

  * {
    margin: 0;
  }

  html {
    font-family: ${fontFamily};
    font-size: 100%;
    line-height: 1.625;
    text-size-adjust: none;
    scroll-padding-block: var(--header-cover) var(--bar-cover, 1rem);
    scrollbar-gutter: stable;
    -webkit-font-smoothing: antialiased;
    background: ${token.background};
    color: ${token.foreground};
  }

  /* The bar of a provider's home and the dashboard's tabs, on phones. */
  @media (max-width: 63.99em) and (min-height: 30.01em) {
    html:has([data-call-bar], [data-tab-bar]) {
      --bar-cover: 4.5rem;
    }
  }

  html:has(${modals}) {
    overflow: hidden;
  }

  body {
    min-block-size: 100dvh;
    overflow-wrap: break-word;
  }

  img, svg, video {
    display: block;
    max-inline-size: 100%;
    block-size: auto;
  }

  h1, h2, h3, h4 {
    color: var(--surface-heading);
    font-family: ${token.serif};
    font-weight: 400;
    letter-spacing: -0.012em;
    line-height: 1.2;
    text-wrap: balance;
  }

  p {
    text-wrap: pretty;
  }

  a {
    color: var(--surface-link);
    text-decoration-thickness: 1px;
    text-underline-offset: 0.2em;
  }

  a:hover {
    text-decoration-thickness: 2px;
  }

  ul, ol {
    padding: 0;
    list-style: none;
  }

  button, input, select, textarea {
    font: inherit;
    letter-spacing: inherit;
  }

  fieldset {
    min-inline-size: 0;
    padding: 0;
    border: 0;
  }

  [hidden] {
    display: none !important;
  }

  :focus-visible {
    outline: 2px solid var(--focus);
    outline-offset: 2px;
  }

  main:focus {
    outline: none;
  }

  ::selection {
    background: color-mix(in srgb, ${token.secondary} 24%, transparent);
  }

  @media (prefers-reduced-motion: no-preference) {
    html {
      scroll-behavior: smooth;
    }
  }

  ${media.reducedMotion} {
    *, *::before, *::after {
      animation-duration: 0.01ms !important;
      animation-iteration-count: 1 !important;
      transition-duration: 0.01ms !important;
    }
  }

  @media print {
    html {
      font-size: 11pt;
    }

    a {
      color: inherit;
    }
  }
`;
