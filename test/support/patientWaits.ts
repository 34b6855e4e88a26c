import { vi } from 'vitest';

/** Waiting for a condition ends when it holds; the limit is for what never comes, and a machine may be busy with other tests. */
const patienceMs = 15_000;

const { waitFor, waitUntil } = vi;
vi.waitFor = (callback, options = { timeout: patienceMs }) => waitFor(callback, options);
vi.waitUntil = (callback, options = { timeout: patienceMs }) => waitUntil(callback, options);
