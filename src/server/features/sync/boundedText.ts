/** A body that is larger than anyone wants. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError';
}

/** A body as text, read no further than `bytesMax`. A byte order mark is dropped. Throws TooLargeError, and whatever the network says. */
export async function boundedText(response: Response, bytesMax: number): Promise<string> {
  if (Number(response.headers.get('content-length') ?? 0) > bytesMax) {
    await response.body?.cancel();
    throw new TooLargeError('the body is too large');
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop cancels the rest.
    if (size > bytesMax) throw new TooLargeError('the body is too large');
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
