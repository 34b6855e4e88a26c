import { type SyntheticEvent, useState } from 'react';
import { styled } from 'styled-components';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { Stack } from '#client/admin/kit/layout.tsx';
import { withReport } from '#client/admin/kit/reports.ts';
import { token } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
import { Checkbox } from '#client/ui/Checkbox.tsx';
import { Dialog, DialogActions } from '#client/ui/Dialog.tsx';
import { Field } from '#client/ui/Field.tsx';
import type { AdminProvider } from '#shared/admin/adminProviders.ts';
import { adminCopy, adminMessages } from '#shared/admin/copy.ts';
import { ClinicDetails } from './ClinicDetails.tsx';
import { HueField } from './HueField.tsx';
import { UnreachableNotice } from './UnreachableNotice.tsx';
import { providerCopy } from './copy.ts';
import { settingsChange, type SettingsErrors, type SettingsValues, toSettings } from './settingsValues.ts';

const copy = providerCopy.settingsForm;

interface ProviderSettingsProps {
  provider: AdminProvider;
  defaultRadiusMiles: number;
  onClose: () => void;
}

/** What staff may set: pause, radius, hue, the clinic's details and the CRM key, which is never displayed. */
export function ProviderSettings({ provider, defaultRadiusMiles, onClose }: ProviderSettingsProps) {
  // The list may reload while the form is open. Changes are compared with the values at the start.
  const [opened] = useState(provider);
  const [values, setValues] = useState(() => toSettings(opened));
  const [errors, setErrors] = useState<SettingsErrors>({});
  const [isOpen, setIsOpen] = useState(true);
  const update = adminApi.admin.providers.update.useMutation(
    withReport({ ...adminMessages.saveProvider, onDone: () => setIsOpen(false) }),
  );
  const set = (part: Partial<SettingsValues>): void => setValues({ ...values, ...part });
  function onSubmit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    const { change, errors: found } = settingsChange(opened, values);
    setErrors(found ?? {});
    if (found !== null)
      event.currentTarget.querySelector<HTMLElement>(`[name=${Object.keys(found)[0]}]`)?.focus();
    else if (change === null) setIsOpen(false);
    else update.mutate(change);
  }
  return (
    <Dialog open={isOpen} onClose={onClose} title={providerCopy.settingsLabel(provider.name)}>
      {provider.unreachable === null ? null : (
        <Notice>
          <UnreachableNotice provider={provider} unreachable={provider.unreachable} canSend />
        </Notice>
      )}
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
        <DialogActions>
          <Button variant="secondary" onClick={() => setIsOpen(false)}>
            {adminCopy.cancel}
          </Button>
          <Button type="submit" disabled={update.isPending}>
            {update.isPending ? adminCopy.saving : adminCopy.save}
          </Button>
        </DialogActions>
      </Stack>
    </Dialog>
  );
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

const Notice = styled.div`
  margin-block-end: 1.25rem;
`;

const Hint = styled.p`
  margin-inline-start: 2.25rem;
  color: ${token.muted};
  font-size: 0.9375rem;
  line-height: 1.4;
`;
