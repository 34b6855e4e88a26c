import { styled } from 'styled-components';
import { media, token } from '../theme/tokens.ts';
import { hiddenLook } from './Section.tsx';

/** The tabs at the side, and on narrow screens in a bar at the bottom. */
export const Side = styled.div`
  position: fixed;
  inset: auto 0 0;
  z-index: 3;
  display: flex;
  padding-block-end: env(safe-area-inset-bottom);
  border-block-start: 1px solid ${token.line};
  background: ${token.background};

  /* In the page, where the bar would take too much of the window. */
  ${media.low} {
    position: static;
  }

  ${media.desktop} {
    position: sticky;
    inset: 0 auto auto;
    flex-direction: column;
    block-size: 100dvh;
    padding: 0 0 1rem;
    border-block-start: 0;
    border-inline-end: 1px solid ${token.line};
    overflow-y: auto;
    scrollbar-width: thin;
  }
`;

export const Above = styled.div`
  display: none;

  ${media.desktop} {
    display: grid;
    align-items: center;
    flex: none;
    block-size: 3.5rem;
    padding-inline: 1.25rem;
  }
`;

export const List = styled.div`
  display: flex;
  flex: 4;
  min-inline-size: 0;

  ${media.desktop} {
    flex: none;
    flex-direction: column;
    gap: 1.25rem;
    padding-block-start: 0.5rem;
  }
`;

export const Group = styled.div`
  display: flex;
  flex: 1;
  min-inline-size: 0;

  /* As wide as its tabs, which are all equally wide. */
  &:has(> :nth-child(3)) {
    flex: 3;
  }

  &[data-folded] {
    position: absolute;
    inset: auto 0 100%;
    flex-wrap: wrap;
    padding: 0.5rem;
    border-block-start: 1px solid ${token.line};
    background: ${token.background};
  }

  &[data-folded='true'] {
    display: none;
  }

  ${media.desktop} {
    &,
    &[data-folded] {
      position: static;
      display: grid;
      padding: 0;
      border: 0;
    }
  }
`;

export const GroupLabel = styled.span`
  display: none;
  padding: 0 1.25rem 0.25rem;
  color: ${token.muted};
  font-size: 0.75rem;

  ${media.desktop} {
    display: block;
  }
`;

export const Count = styled.span`
  color: ${token.muted};
  font-weight: 400;
  white-space: nowrap;

  &[data-urgent] {
    color: ${token.danger};
  }
`;

const barItem = `
  display: grid;
  flex: 1;
  align-content: center;
  justify-items: center;
  gap: 0.125rem;
  min-inline-size: 0;
  min-block-size: 3.5rem;
  padding: 0.25rem 0;
  border: 0 solid transparent;
  border-block-start-width: 2px;
  background: none;
  color: ${token.muted};
  font-size: 0.75rem;
  font-weight: 500;
  line-height: 1.2;
  cursor: pointer;

  & > svg {
    inline-size: 1.25rem;
    block-size: 1.25rem;
  }

  &:focus-visible {
    outline-offset: -3px;
  }
`;

export const TabButton = styled.button`
  ${barItem}
  font-variant-numeric: tabular-nums;

  &:hover,
  &[aria-selected='true'] {
    color: ${token.ink};
  }

  &[aria-selected='true'] {
    border-color: ${token.ink};
    font-weight: 650;
  }

  /* In the bar, there is no room for counts. Assistive technology reads them. */
  & > svg + span > ${Count} {
    ${hiddenLook}
  }

  [data-folded] > & {
    flex: 0 0 50%;
    justify-items: start;
    min-block-size: 2.75rem;
    padding-inline: 0.75rem;
    border-width: 0 0 0 2px;
    font-size: 0.9375rem;
  }

  ${media.desktop} {
    &,
    [data-folded] > & {
      flex: none;
      justify-items: start;
      min-block-size: 2rem;
      padding: 0.25rem 1.25rem 0.25rem calc(1.25rem - 2px);
      border-width: 0 0 0 2px;
      color: ${token.ink};
      font-size: 0.875rem;
      text-align: start;
    }

    &:hover {
      background: ${token.tint};
    }

    & > svg {
      display: none;
    }

    & > svg + span > ${Count} {
      position: static;
      inline-size: auto;
      block-size: auto;
      overflow: visible;
      clip-path: none;
    }
  }

  ${media.touch} {
    min-block-size: 2.75rem;
  }
`;

export const More = styled.button`
  ${barItem}

  &[aria-expanded='true'],
  &[data-current] {
    border-color: ${token.ink};
    color: ${token.ink};
    font-weight: 650;
  }

  ${media.desktop} {
    display: none;
  }
`;
