import { useState } from 'react';
import { styled } from 'styled-components';
import { ActionForm, ActivateProvider } from '#client/admin/kit/ActionForm.tsx';
import { Fact, FactList } from '#client/admin/kit/Facts.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { Stack } from '#client/admin/kit/layout.tsx';
import { media } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { Checkbox } from '#client/ui/Checkbox.tsx';
import { Dialog } from '#client/ui/Dialog.tsx';
import { Field } from '#client/ui/Field.tsx';
import type { AdminProvider } from '#shared/admin/adminProviders.ts';
import { adminCopy } from '#shared/admin/copy.ts';
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

function readText(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === 'string' ? value : '';
}

function readForm(data: FormData): Values {
  return Object.fromEntries(
    typedFields.map((name) => [name, flags.includes(name) ? data.has(name) : readText(data, name)]),
  ) as Values;
}

interface ProviderFormProps {
  /** Null: a new one. */
  provider: AdminProvider | null;
  wordpressUrl: string | null;
  /** `id`: of a new provider. */
  onClose: (id?: number) => void;
}

/** Adds a provider or edits the fields that a source would own; of a synced one, says who owns them. */
export function ProviderForm({ provider, wordpressUrl, onClose }: ProviderFormProps) {
  // The list may reload while the form is open. Changes are compared with the values at the start.
  const [opened] = useState(() => toValues(provider));
  const create = adminApi.admin.ownProviders.create.useMutation();
  const update = adminApi.admin.ownProviders.update.useMutation();
  const title = provider === null ? copy.add : copy.editLabel(provider.name);
  if (provider !== null && provider.wordpress_id !== null)
    return (
      <Dialog open onClose={() => onClose()} title={title}>
        <SyncedFields provider={provider} wordpressUrl={wordpressUrl} />
      </Dialog>
    );
  async function act(data: FormData): Promise<void> {
    const values = readForm(data);
    if (provider === null) {
      const { id } = await create.mutateAsync(values);
      onClose(id);
      return;
    }
    const changed = typedFields.filter((name) => values[name] !== opened[name]);
    if (changed.length > 0)
      await update.mutateAsync({
        id: provider.id,
        ...Object.fromEntries(changed.map((name) => [name, values[name]])),
      });
    onClose();
  }
  return (
    <Dialog open onClose={() => onClose()} title={title}>
      <Stack $gap="1.25rem">
        {provider === null ? (
          <p>{copy.addHint}</p>
        ) : (
          <ActivateProvider
            provider={{
              ...{ id: provider.id, name: provider.name, email: provider.email },
              isActive: provider.status === 't',
            }}
            isConfirmed
          />
        )}
        <ActionForm
          submitLabel={provider === null ? copy.add : adminCopy.save}
          act={act}
          onClose={() => onClose()}
        >
          {(errors) => (
            <Grid>
              {typedFields.map((name) =>
                flags.includes(name) ? (
                  <Checkbox
                    key={name}
                    name={name}
                    label={copy.labels[name]}
                    error={errors[name]}
                    defaultChecked={opened[name] === true}
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
                    defaultValue={String(opened[name])}
                  />
                ),
              )}
            </Grid>
          )}
        </ActionForm>
      </Stack>
    </Dialog>
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

/** Two columns where there is room. */
const Grid = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 1rem;

  ${media.tablet} {
    grid-template-columns: repeat(2, minmax(0, 1fr));
  }
`;
