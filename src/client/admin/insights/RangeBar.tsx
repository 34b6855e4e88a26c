import { useId, useState } from 'react';
import { styled } from 'styled-components';
import { zoneText } from '#client/admin/kit/times.ts';
import { media, token } from '#client/theme/tokens.ts';
import { DayInput } from '#client/ui/DayInput.tsx';
import { insightCopy, rangeCopy as copy } from './copy.ts';
import { defaultRange, isSameRange, lastDays, lastYear, type InsightRangeControl } from './insightRange.ts';
import { fullDay } from './insightDays.ts';

const presets = [
  ...[7, 30, 90].map((days) => ({
    label: copy.days(days),
    rangeTo: (today: string) => lastDays(days, today),
  })),
  { label: copy.year, rangeTo: lastYear },
];

/** The choice of days: a preset that ends today, or two dates. */
export function RangeBar({ control }: { control: InsightRangeControl }) {
  const { requested, error, range, today, setRange } = control;
  const errorId = useId();
  const fields = { isInvalid: error !== null, describedBy: error === null ? undefined : errorId };
  const fallback = defaultRange(today);
  const isPreset = presets.some(({ rangeTo }) => isSameRange(requested, rangeTo(today)));
  const [hasFields, setHasFields] = useState(!isPreset);
  // They stay while a date that is typed makes it a preset.
  if (!isPreset && !hasFields) setHasFields(true);
  return (
    <Bar as="search" aria-label={copy.label}>
      <Presets aria-label={copy.presets}>
        {presets.map(({ label, rangeTo }) => (
          <Preset
            key={label}
            type="button"
            aria-pressed={isSameRange(requested, rangeTo(today))}
            onClick={() => setRange(rangeTo(today))}
          >
            {label}
          </Preset>
        ))}
        <Preset
          type="button"
          aria-pressed={!isPreset}
          aria-expanded={hasFields}
          onClick={() => setHasFields(!hasFields)}
        >
          {copy.other}
        </Preset>
      </Presets>
      {/* Eight Tab stops that most people don't need. */}
      <Fields hidden={!hasFields}>
        <DayInput
          {...fields}
          label={copy.since}
          value={requested.from}
          onChoose={(from) => setRange({ ...requested, from: from ?? fallback.from })}
        />
        <DayInput
          {...fields}
          label={copy.until}
          value={requested.to}
          onChoose={(to) => setRange({ ...requested, to: to ?? fallback.to })}
        />
      </Fields>
      <Note>{copy.note(zoneText(Date.parse(today)))}</Note>
      <RangeMessage id={errorId} aria-live="polite">
        {error === null
          ? null
          : `${error}. ${copy.shown(insightCopy.between(fullDay(range.from), fullDay(range.to)))}`}
      </RangeMessage>
    </Bar>
  );
}

const Bar = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: end;
  gap: 0.75rem 1.25rem;
`;

const Fields = styled.div`
  display: grid;
  grid-template-columns: repeat(2, minmax(0, 9.5rem));
  gap: 0.75rem;
`;

const Presets = styled.fieldset`
  display: flex;
  flex-wrap: wrap;
  gap: 0.375rem;
  inline-size: 100%;

  ${media.tablet} {
    inline-size: auto;
  }
`;

const Preset = styled.button`
  min-block-size: 2.5rem;

  ${media.touch} {
    min-block-size: 2.75rem;
  }

  padding: 0.25rem 0.375rem;
  border: 1px solid ${token.line};
  border-radius: ${token.pill};
  background: ${token.background};
  color: ${token.primary};
  font-size: 0.875rem;
  font-variant-numeric: tabular-nums;
  font-weight: 600;
  cursor: pointer;

  ${media.tablet} {
    padding-inline: 0.875rem;
  }

  &:hover {
    border-color: ${token.secondary};
  }

  &[aria-pressed='true'] {
    border-color: ${token.primary};
    background: ${token.primary};
    color: #ffffff;
  }
`;

const Note = styled.p`
  color: ${token.muted};
  font-size: 0.875rem;
  line-height: 2.5rem;
`;

const RangeMessage = styled.p`
  flex-basis: 100%;
  color: ${token.danger};
  font-size: 0.9375rem;
  font-weight: 500;

  &:empty {
    display: none;
  }
`;
