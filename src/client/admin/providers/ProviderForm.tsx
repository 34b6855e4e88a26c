import { useState } from 'react';
import { ActionForm, ActivateProvider } from '#client/admin/kit/ActionForm.tsx';
import { Fact, FactList } from '#client/admin/kit/Facts.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { Stack, TwoColumns } from '#client/admin/kit/layout.tsx';
import { reportSuccess, withReport } from '#client/admin/kit/reports.ts';
import { toText } from '#client/admin/kit/text.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { Checkbox } from '#client/ui/Checkbox.tsx';
import { Dialog } from '#client/ui/Dialog.tsx';
import { Field } from '#client/ui/Field.tsx';
import type { AdminProvider } from '#shared/admin/adminProviders.ts';
import { adminCopy, adminMessages } from '#shared/admin/copy.ts';
import { type TypedField, typedFields } from '#shared/providers/providerFieldLists.ts';
import { editHref } from './ProviderRow.tsx';
import { providerCopy } from './copy.ts';

const copy = providerCopy.form;

/** Yes or no. */
const flags: readonly TypedField[] = ['accepts_free_consultation', 'accepts_financing'];
/** How phones show a keyboard for it. */
const keyboards: Partial<Record<TypedField, 'email' | 'tel' | 'url' | 'decimal'>> = {
  ...{ email: 'email', phone: 'tel', website: 'url', url: 'url', domain: 'url' },
  ...{ image_url: 'url', logo_url: 'url', latitude: 'decimal', longitude: 'decimal' },
};

type Values = Record<TypedField, string | boolean>;

/** A provider's fields as the form has them; null: a new one. */
function toValues(provider: AdminProvider | null): Values {
  return Object.fromEntries(
    typedFields.map((name) => {
      const value = provider?.[name] ?? null;
      return [name, flags.includes(name) ? value === true : String(value ?? '')];
    }),
  ) as Values;
}

function readForm(data: FormData): Values {
  return Object.fromEntries(
    typedFields.map((name) => [name, flags.includes(name) ? data.has(name) : toText(data, name)]),
  ) as Values;
}

/** The dialog that adds a provider. `onClose`: with the id of the new one. */
export function AddProvider({ onClose }: { onClose: (id?: number) => void }) {
  const create = adminApi.admin.ownProviders.create.useMutation();
  return (
    <Dialog open onClose={() => onClose()} title={copy.add}>
      <Stack $gap="1.25rem">
        <p>{copy.addHint}</p>
        <ActionForm
          submitLabel={copy.add}
          act={async (data) => onClose((await create.mutateAsync(readForm(data))).id)}
          onClose={() => onClose()}
        >
          {(errors) => <TypedFields values={toValues(null)} errors={errors} />}
        </ActionForm>
      </Stack>
    </Dialog>
  );
}

interface ProviderFieldsProps {
  provider: AdminProvider;
  wordpressUrl: string | null;
}

/** The fields that a source would own, of a provider that exists only here; of a synced one, their values. */
export function ProviderFields({ provider, wordpressUrl }: ProviderFieldsProps) {
  // The provider may reload while the form is edited. Changes are compared with the values at the start.
  const [opened, setOpened] = useState(() => toValues(provider));
  const [undone, setUndone] = useState(0);
  const undo = adminApi.admin.ownProviders.update.useMutation(
    withReport({
      ...adminMessages.saveProvider,
      onDone: (saved: AdminProvider) => {
        setOpened(toValues(saved));
        setUndone((times) => times + 1);
      },
    }),
  );
  const update = adminApi.admin.ownProviders.update.useMutation();
  const { id, name, email, status } = provider;
  if (provider.wordpress_id !== null) return <SyncedFields provider={provider} wordpressUrl={wordpressUrl} />;
  async function act(data: FormData): Promise<void> {
    const values = readForm(data);
    const changed = typedFields.filter((field) => values[field] !== opened[field]);
    if (changed.length === 0) return;
    const pick = (from: Values) => ({
      id,
      ...Object.fromEntries(changed.map((field) => [field, from[field]])),
    });
    await update.mutateAsync(pick(values));
    setOpened(values);
    reportSuccess(adminMessages.saveProvider.done, () => undo.mutate(pick(opened)));
  }
  return (
    <Stack $gap="1.25rem">
      <ActivateProvider provider={{ id, name, email, isActive: status === 't' }} isConfirmed />
      <ActionForm submitLabel={adminCopy.save} act={act}>
        {(errors) => <TypedFields key={undone} values={opened} errors={errors} />}
      </ActionForm>
    </Stack>
  );
}

interface TypedFieldsProps {
  /** At first. */
  values: Values;
  errors: Readonly<Record<string, string>>;
}

function TypedFields({ values, errors }: TypedFieldsProps) {
  return (
    <TwoColumns>
      {typedFields.map((name) =>
        flags.includes(name) ? (
          <Checkbox
            key={name}
            name={name}
            label={copy.labels[name]}
            error={errors[name]}
            defaultChecked={values[name] === true}
          />
        ) : (
          <Field
            key={name}
            name={name}
            label={copy.labels[name]}
            hint={copy.hints[name]}
            error={errors[name]}
            inputMode={keyboards[name]}
            autoComplete="off"
            defaultValue={String(values[name])}
          />
        ),
      )}
    </TwoColumns>
  );
}

function SyncedFields({ provider, wordpressUrl }: { provider: AdminProvider; wordpressUrl: string | null }) {
  const href = editHref(provider, wordpressUrl);
  return (
    <Stack $gap="1.25rem">
      <p>{copy.owner(provider.wordpress_id ?? 0)}</p>
      {href === null ? null : (
        <div>
          <ButtonLink variant="secondary" size="small" href={href} target="_blank" rel="noopener noreferrer">
            {copy.openWordPress}
          </ButtonLink>
        </div>
      )}
      <FactList>
        {typedFields.map((name) => {
          const value = provider[name] ?? null;
          const text = typeof value === 'boolean' ? (value ? copy.yes : copy.no) : value;
          return (
            <Fact key={name} name={copy.labels[name]}>
              {text}
            </Fact>
          );
        })}
      </FactList>
    </Stack>
  );
}
