import { useId } from 'react';
import { styled } from 'styled-components';
import { tenantHue } from '#client/theme/GlobalStyle.ts';
import { token } from '#client/theme/tokens.ts';
import { Checkbox } from '#client/ui/Checkbox.tsx';
import { hueShades } from '#shared/pages/hueShades.ts';
import { providerCopy } from './copy.ts';

const copy = providerCopy.settingsForm;
const hueMax = 359;
/** Where the slider starts. */
const startHue = 300;

interface HueFieldProps {
  /** The provider's name, for the preview. */
  name: string;
  /** Null: the brand's colors. */
  hue: number | null;
  onChange: (hue: number | null) => void;
}

/** The hue of a provider's site: a slider, and a header and a button in that hue. */
export function HueField({ name, hue, onChange }: HueFieldProps) {
  const id = useId();
  return (
    <fieldset>
      <Legend>{copy.colors}</Legend>
      <Checkbox
        name="brand-colors"
        label={copy.brandColors}
        checked={hue === null}
        onChange={(event) => onChange(event.target.checked ? null : startHue)}
      />
      {hue === null ? null : (
        <Row>
          <label htmlFor={id}>{copy.hue}</label>
          <Slider
            id={id}
            name="hue"
            type="range"
            min={0}
            max={hueMax}
            value={hue}
            aria-valuetext={copy.hueValue(hue)}
            onChange={(event) => onChange(event.target.valueAsNumber)}
          />
          <Value aria-hidden="true">{copy.hueValue(hue)}</Value>
        </Row>
      )}
      <Preview
        data-preview=""
        aria-hidden="true"
        data-hue={hue ?? undefined}
        style={hue === null ? undefined : { '--hue': hue }}
      >
        <strong>{name}</strong>
        <span>{copy.previewButton}</span>
      </Preview>
    </fieldset>
  );
}

const stops = Array.from({ length: 13 }, (_, index) => {
  const { lightness, chroma } = hueShades.accent;
  return `oklch(${lightness} ${chroma} ${index * 30})`;
});

const Legend = styled.legend`
  padding: 0;
  font-weight: 600;
  line-height: 1.4;
`;

const Row = styled.div`
  display: grid;
  grid-template-columns: auto minmax(0, 1fr) 2.5rem;
  align-items: center;
  gap: 0.75rem;
  font-size: 0.9375rem;
`;

const Slider = styled.input`
  inline-size: 100%;
  block-size: 2.75rem;
  appearance: none;
  /* The one gradient of the dashboard: it is the scale of the hues that the slider goes through. */
  background: linear-gradient(to right, ${stops.join(', ')}) center / 100% 0.75rem no-repeat;
  cursor: pointer;

  &::-webkit-slider-thumb {
    appearance: none;
    inline-size: 1.5rem;
    block-size: 1.5rem;
    border: 3px solid #ffffff;
    border-radius: ${token.pill};
    background: ${token.foreground};
    outline: 1.5px solid ${token.ink};
  }

  &::-moz-range-thumb {
    inline-size: 1.125rem;
    block-size: 1.125rem;
    border: 3px solid #ffffff;
    border-radius: ${token.pill};
    background: ${token.foreground};
    outline: 1.5px solid ${token.ink};
  }
`;

const Value = styled.span`
  font-variant-numeric: tabular-nums;
  text-align: end;
`;

/** A header with a button, as on the provider's site. */
const Preview = styled.div`
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: 1rem;
  margin-block-start: 0.5rem;
  padding: 0.75rem 1rem;
  border: 1px solid ${token.line};
  border-radius: ${token.radius};
  background: ${token.tint};

  &[data-hue] {
    ${tenantHue}
  }

  & > strong {
    min-inline-size: 0;
    color: ${token.primary};
    overflow-wrap: anywhere;
  }

  & > span {
    flex: none;
    padding: 0.375rem 1rem;
    border-radius: ${token.pill};
    background: ${token.primary};
    color: #ffffff;
    font-size: 0.875rem;
    font-weight: 600;
  }
`;
