import { styled } from 'styled-components';
import { media, token } from '../theme/tokens.ts';

/** Fills its frame and sets MapLibre's own controls and popups in the page's look. */
export const MapSheet = styled.div<{ $isHidden: boolean }>`
  /* Nobody sees it being built; a browser without a graphics card would copy every step of it to the screen. */
  visibility: ${({ $isHidden }) => ($isHidden ? 'hidden' : 'visible')};

  position: absolute;
  inset: 0;

  & .maplibregl-map {
    font: inherit;
  }

  & .maplibregl-ctrl-group {
    border-radius: ${token.radius};
    overflow: hidden;
  }

  & .maplibregl-ctrl-group button {
    inline-size: 2.75rem;
    block-size: 2.75rem;
  }

  & .maplibregl-ctrl-attrib {
    padding: 0.125rem 0.5rem;
    background: rgb(255 255 255 / 0.85);
    color: ${token.muted};
    font-size: 0.75rem;
    line-height: 1.5;
  }

  & .maplibregl-ctrl-attrib a {
    color: ${token.muted};
    text-decoration: underline;
  }

  /* Above the zoom buttons and the attribution. */
  & .maplibregl-popup {
    z-index: 3;
  }

  & .maplibregl-popup-content {
    padding: 0.75rem 2.25rem 0.75rem 0.75rem;
    border-radius: ${token.radius};
    box-shadow: ${token.shadow};
    color: ${token.foreground};
    font: inherit;
    font-size: 0.9375rem;
    line-height: 1.45;

    ${media.tablet} {
      padding: 1rem 2.5rem 1rem 1rem;
    }
  }

  & .maplibregl-popup-close-button {
    inset: 0.25rem 0.25rem auto auto;
    inline-size: 2.25rem;
    block-size: 2.25rem;
    border-radius: ${token.pill};
    color: ${token.muted};
    font-size: 1.375rem;

    ${media.touch} {
      inset: 0;
      inset-inline-start: auto;
      inline-size: 2.75rem;
      block-size: 2.75rem;
    }
  }

  & .maplibregl-cooperative-gesture-screen {
    background: color-mix(in srgb, ${token.primary} 82%, transparent);
    font-size: 1.125rem;
    font-weight: 600;
    text-align: center;
  }

  & canvas:focus-visible {
    outline: 3px solid var(--focus);
    outline-offset: -3px;
  }
`;

/** A calm word at the map's edge: the upper one on a phone, where attribution and zoom fill the lower one. */
export const MapNotice = styled.output`
  position: absolute;
  inset-block-start: 0.75rem;
  inset-inline: 0.75rem;
  justify-self: start;
  inline-size: fit-content;
  padding: 0.5rem 0.875rem;
  border-radius: ${token.radius};
  background: #ffffff;
  color: ${token.foreground};
  font-size: 0.875rem;
  line-height: 1.4;
  box-shadow: ${token.shadow};

  ${media.tablet} {
    inset-block: auto 2.25rem;
    inset-inline-end: 4.25rem;
  }
`;
