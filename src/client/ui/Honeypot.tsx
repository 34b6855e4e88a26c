import { styled } from 'styled-components';

interface HoneypotProps {
  name: 'website' | 'homepage';
}

/** A field no person sees or reaches; software that fills in every input gives itself away. */
export function Honeypot({ name }: HoneypotProps) {
  return (
    <OffScreen aria-hidden="true">
      <label htmlFor={`field-${name}`}>Website</label>
      <input id={`field-${name}`} name={name} type="text" tabIndex={-1} autoComplete="off" />
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
