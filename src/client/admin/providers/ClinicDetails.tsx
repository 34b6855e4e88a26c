import { styled } from 'styled-components';
import { Legend, Stack, TwoColumns } from '#client/admin/kit/layout.tsx';
import { token } from '#client/theme/tokens.ts';
import { describeControl, Field, FieldFrame, FieldHint, linesLook } from '#client/ui/Field.tsx';
import { findOtherZones } from '#shared/leads/zipZones.ts';
import { parseTimeZone } from '#shared/providers/detailValues.ts';
import { providerCopy } from './copy.ts';
import {
  type DetailField,
  detailFields,
  type SettingsErrors,
  type SettingsValues,
} from './settingsValues.ts';

const copy = providerCopy.settingsForm;
/** Values of several lines. */
const manyLines: readonly DetailField[] = ['about', 'pictures'];
const timeZones = [
  ...['America/New_York', 'America/Chicago', 'America/Denver', 'America/Phoenix', 'America/Los_Angeles'],
  ...['America/Anchorage', 'Pacific/Honolulu', 'America/Puerto_Rico', 'Pacific/Guam'],
];

interface ClinicDetailsProps {
  zipCode: string;
  values: SettingsValues;
  errors: SettingsErrors;
  onChange: (part: Partial<SettingsValues>) => void;
}

/** What a clinic says of itself: a field each, and one for the hours of each weekday. */
export function ClinicDetails({ zipCode, values: { details, hours }, errors, onChange }: ClinicDetailsProps) {
  const setDay = (at: number, text: string): void =>
    onChange({ hours: hours.map((day, index) => (index === at ? text : day)) });
  return (
    <>
      <FieldHint>{copy.detailsHint}</FieldHint>
      <Fields>
        {detailFields.map((name) => {
          const frame = {
            id: `field-${name}`,
            label: copy.details[name],
            hint: copy.detailHints[name],
            error: errors[name],
          };
          const control = {
            name,
            value: details[name],
            onChange: (event: { target: { value: string } }) =>
              onChange({ details: { ...details, [name]: event.target.value } }),
          };
          if (!manyLines.includes(name))
            return (
              <div key={name}>
                <Field
                  {...frame}
                  {...control}
                  autoComplete="off"
                  list={name === 'timeZone' ? 'time-zones' : undefined}
                />
                {name === 'timeZone' ? (
                  <Warning aria-live="polite">{warnOfZone(zipCode, details.timeZone)}</Warning>
                ) : null}
              </div>
            );
          return (
            <FieldFrame key={name} {...frame} className={undefined}>
              <Lines {...describeControl(frame)} {...control} />
            </FieldFrame>
          );
        })}
      </Fields>
      <datalist id="time-zones">
        {timeZones.map((zone) => (
          <option key={zone} value={zone}>
            {zone}
          </option>
        ))}
      </datalist>
      <Stack as="fieldset" $gap="0.75rem">
        <Legend>{copy.hours}</Legend>
        <FieldHint>{copy.hoursHint}</FieldHint>
        <Fields>
          {copy.weekdays.map((day, at) => (
            <Field
              key={day}
              label={day}
              name={at === 0 ? 'hours' : `hours-${at}`}
              error={at === 0 ? errors.hours : undefined}
              autoComplete="off"
              value={hours[at] ?? ''}
              onChange={(event) => setDay(at, event.target.value)}
            />
          ))}
        </Fields>
      </Stack>
    </>
  );
}

/** A clinic near a border may keep another time: it is saved all the same. */
function warnOfZone(zipCode: string, typed: string): string {
  const zone = parseTimeZone(typed);
  const zones = zone === undefined ? [] : findOtherZones(zipCode, zone);
  return zones.length === 0 ? '' : copy.zoneUnlikely(zipCode, zones);
}

/** Fields beside each other are on one line, with or without a hint. */
const Fields = styled(TwoColumns)`
  align-items: end;
`;

const Warning = styled.p`
  color: ${token.warning};
  font-size: 0.9375rem;
  line-height: 1.4;

  &:not(:empty) {
    margin-block-start: 0.375rem;
  }
`;

const Lines = styled.textarea`
  ${linesLook}
  min-block-size: 6rem;
  max-block-size: 20rem;
`;
