import { type SyntheticEvent, useState } from 'react';
import { styled } from 'styled-components';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { Stack } from '#client/admin/kit/layout.tsx';
import { withReport } from '#client/admin/kit/reports.ts';
import { token } from '#client/theme/tokens.ts';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { Checkbox } from '#client/ui/Checkbox.tsx';
import { Field } from '#client/ui/Field.tsx';
import type { AdminProvider, AdminProviderUpdate } from '#shared/admin/adminProviders.ts';
import { adminCopy, adminMessages } from '#shared/admin/copy.ts';
import { ClinicDetails } from './ClinicDetails.tsx';
import { HueField } from './HueField.tsx';
import { providerCopy } from './copy.ts';
import { settingsChange, type SettingsErrors, type SettingsValues, toSettings } from './settingsValues.ts';

const copy = providerCopy.settingsForm;

interface ProviderSettingsProps {
  provider: AdminProvider;
  defaultRadiusMiles: number;
}

/** What staff may set: pause, radius, hue, the clinic's details and the CRM key, which is never displayed. */
export function ProviderSettings({ provider, defaultRadiusMiles }: ProviderSettingsProps) {
  // The provider may reload while the form is edited. Changes are compared with the values at the start.
  const [opened, setOpened] = useState(provider);
  const [values, setValues] = useState(() => toSettings(opened));
  const [errors, setErrors] = useState<SettingsErrors>({});
  function restart(saved: AdminProvider): void {
    setOpened(saved);
    setValues(toSettings(saved));
  }
  const undo = adminApi.admin.providers.update.useMutation(
    withReport({ ...adminMessages.saveProvider, onDone: restart }),
  );
  const update = adminApi.admin.providers.update.useMutation(
    withReport({
      ...adminMessages.saveProvider,
      onDone: restart,
      // Nobody can read the key of before.
      undo: (_, change) => (change.mpxapi === undefined ? () => undo.mutate(toFormer(opened, change)) : null),
    }),
  );
  const set = (part: Partial<SettingsValues>): void => setValues({ ...values, ...part });
  function onSubmit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    const { change, errors: found } = settingsChange(opened, values);
    setErrors(found ?? {});
    if (found !== null)
      event.currentTarget.querySelector<HTMLElement>(`[name=${Object.keys(found)[0]}]`)?.focus();
    else if (change !== null && !update.isPending) update.mutate(change);
  }
  return (
    <Stack as="form" $gap="1.25rem" noValidate onSubmit={onSubmit}>
      <div>
        <Checkbox
          name="paused"
          label={copy.pause}
          checked={values.paused}
          onChange={(event) => set({ paused: event.target.checked })}
        />
        <Hint>{copy.pauseHint}</Hint>
      </div>
      <Field
        label={copy.radius}
        name="radius"
        hint={copy.radiusHint(defaultRadiusMiles)}
        error={errors.radius}
        inputMode="numeric"
        autoComplete="off"
        value={values.radius}
        onChange={(event) => set({ radius: event.target.value })}
      />
      <HueField name={provider.name} hue={values.hue} onChange={(hue) => set({ hue })} />
      <ClinicDetails zipCode={provider.zipCode} values={values} errors={errors} onChange={set} />
      <KeyFields provider={provider} values={values} error={errors.key} onChange={set} />
      <div>
        <ActionButton type="submit" isBusy={update.isPending}>
          {update.isPending ? adminCopy.saving : adminCopy.save}
        </ActionButton>
      </div>
    </Stack>
  );
}

/** The change that sets the same fields to their former values. */
function toFormer(former: AdminProvider, { id, ...changed }: { id: number }): AdminProviderUpdate {
  const known = new Map<string, unknown>(Object.entries(former));
  return { id, ...Object.fromEntries(Object.keys(changed).map((name) => [name, known.get(name)])) };
}

interface KeyFieldsProps {
  provider: AdminProvider;
  values: SettingsValues;
  error: string | undefined;
  onChange: (part: Partial<SettingsValues>) => void;
}

function KeyFields({ provider: { hasMpxapi }, values, error, onChange }: KeyFieldsProps) {
  return (
    <div>
      <Field
        label={copy.key}
        name="key"
        hint={hasMpxapi ? copy.keySet : copy.keyUnset}
        error={error}
        type="password"
        placeholder={copy.keyPlaceholder}
        autoComplete="new-password"
        disabled={values.clearsKey}
        value={values.key}
        onChange={(event) => onChange({ key: event.target.value })}
      />
      {hasMpxapi ? (
        <Checkbox
          name="clear-key"
          label={copy.keyClear}
          checked={values.clearsKey}
          onChange={(event) => onChange({ clearsKey: event.target.checked, key: '' })}
        />
      ) : null}
    </div>
  );
}

const Hint = styled.p`
  margin-inline-start: 2.25rem;
  color: ${token.muted};
  font-size: 0.9375rem;
  line-height: 1.4;
`;
