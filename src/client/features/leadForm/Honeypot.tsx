import { styled } from 'styled-components';

/** A field no person sees or reaches; software that fills in every input gives itself away. */
export function Honeypot() {
  return (
    <OffScreen aria-hidden="true">
      <label htmlFor="field-website">Website</label>
      <input id="field-website" name="website" type="text" tabIndex={-1} autoComplete="off" />
    </OffScreen>
  );
}

const OffScreen = styled.div`
  position: absolute;
  inset-inline-start: -10000px;
  inline-size: 1px;
  block-size: 1px;
  overflow: hidden;
`;
