import { useState } from 'react';
import { styled } from 'styled-components';
import { Legend } from '#client/admin/kit/layout.tsx';
import { token } from '#client/theme/tokens.ts';
import { Checkbox } from '#client/ui/Checkbox.tsx';
import { Field, FieldHint } from '#client/ui/Field.tsx';
import { Select } from '#client/ui/Select.tsx';
import { eventPayloads, eventTypes, type WebhookEndpoint } from '#shared/admin/webhooks.ts';
import { endpointCopy, eventTypeCopy, payloadCopy, payloadWarning } from './copy.ts';

interface EndpointFieldsProps {
  /** Its values are the defaults. */
  endpoint: WebhookEndpoint | null;
  errors: Readonly<Record<string, string>>;
}

const payloadOptions = eventPayloads.map((payload) => ({ value: payload, label: payloadCopy[payload] }));

/** The fields of an endpoint: URL, description, event types and payload. */
export function EndpointFields({ endpoint, errors }: EndpointFieldsProps) {
  const [payload, setPayload] = useState<string>(endpoint?.payload ?? 'thin');
  return (
    <>
      <Field
        label={endpointCopy.url}
        name="url"
        type="url"
        inputMode="url"
        autoComplete="off"
        maxLength={2000}
        hint={endpointCopy.urlHint}
        defaultValue={endpoint?.url ?? ''}
        error={errors['url']}
      />
      <Field
        label={endpointCopy.description}
        name="description"
        autoComplete="off"
        maxLength={200}
        hint={endpointCopy.descriptionHint}
        defaultValue={endpoint?.description ?? ''}
        error={errors['description']}
      />
      <fieldset aria-describedby="types-hint">
        <Legend>{endpointCopy.types}</Legend>
        <FieldHint id="types-hint">{endpointCopy.typesHint}</FieldHint>
        {eventTypes.map((type) => (
          <Checkbox
            key={type}
            id={`type-${type}`}
            name="types"
            value={type}
            defaultChecked={endpoint?.types.includes(type) ?? false}
            label={
              <>
                <code>{type}</code>: {eventTypeCopy[type]}
              </>
            }
          />
        ))}
      </fieldset>
      <Select
        label={endpointCopy.payload}
        name="payload"
        options={payloadOptions}
        value={payload}
        onChoose={setPayload}
      />
      <Warning>{payload === 'full' ? payloadWarning : ''}</Warning>
    </>
  );
}

const Warning = styled.output`
  color: ${token.warning};
  font-weight: 500;
  line-height: 1.4;

  &:empty {
    display: none;
  }
`;
