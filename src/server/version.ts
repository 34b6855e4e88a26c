import packageFile from '../../package.json' with { type: 'json' };

/** The version of this product, from package.json. */
export const { version } = packageFile;
