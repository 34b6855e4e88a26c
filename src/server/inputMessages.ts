import { z } from 'zod';

const fallback = 'This value is not valid.';

function listOf(values: readonly unknown[]): string {
  return values.length === 1
    ? `The only choice is ${String(values[0])}.`
    : `Choose one of: ${values.join(', ')}.`;
}

function typeMessage(expected: string, schema: unknown): string {
  switch (expected) {
    case 'string':
      return 'Enter a text.';
    case 'int':
      return 'Enter a whole number.';
    case 'number':
      return schema instanceof z.ZodNumber && schema.format === 'safeint'
        ? 'Enter a whole number.'
        : 'Enter a number.';
    case 'boolean':
      return 'Enter true or false.';
    case 'date':
      return 'Enter a date.';
    case 'array':
      return 'Send a list.';
    case 'object':
    case 'record':
      return 'Send an object.';
    default:
      return fallback;
  }
}

interface Bound {
  origin: string;
  bound: number | bigint;
  inclusive: boolean;
}

function smallMessage({ origin, bound, inclusive }: Bound): string {
  const least = bound.toLocaleString('en-US');
  if (origin === 'string') return bound === 1 ? 'Enter a text.' : `Use at least ${least} characters.`;
  if (origin === 'array' || origin === 'set')
    return bound === 1 ? 'The list is empty.' : `Send at least ${least} values.`;
  return inclusive ? `Enter ${least} or more.` : `Enter more than ${least}.`;
}

function bigMessage({ origin, bound, inclusive }: Bound): string {
  const most = bound.toLocaleString('en-US');
  if (origin === 'string') return `Use at most ${most} characters.`;
  if (origin === 'array' || origin === 'set') return `Send at most ${most} values.`;
  return inclusive ? `Enter ${most} or less.` : `Enter less than ${most}.`;
}

const formatMessages: Partial<Record<string, string>> = {
  email: 'Enter an email address, such as name@example.com.',
  url: 'Enter a web address, such as https://example.com.',
  date: 'Enter a date, such as 2026-06-01.',
  datetime: 'Enter a date and time in UTC, such as 2026-06-01T12:00:00Z.',
  uuid: 'Enter a UUID.',
  guid: 'Enter a UUID.',
};

/**
 * The one place that turns the issues of a schema without a message of its own into a sentence for a person. It quotes
 * nothing of the input.
 */
export function inputMessage(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined && issue.code !== 'custom') return 'This field is required.';
  switch (issue.code) {
    case 'invalid_type':
      return typeMessage(issue.expected, issue.inst);
    case 'invalid_value':
      return listOf(issue.values);
    case 'too_small':
      return smallMessage({
        origin: issue.origin,
        bound: issue.minimum,
        inclusive: issue.inclusive !== false,
      });
    case 'too_big':
      return bigMessage({ origin: issue.origin, bound: issue.maximum, inclusive: issue.inclusive !== false });
    case 'invalid_format':
      return formatMessages[issue.format] ?? 'This value has the wrong format.';
    case 'not_multiple_of':
      return `Enter a multiple of ${issue.divisor}.`;
    case 'unrecognized_keys':
      return 'There is an unknown field.';
    case 'invalid_union':
      return Array.isArray(issue.options) ? listOf(issue.options) : fallback;
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
    default:
      return fallback;
  }
}
