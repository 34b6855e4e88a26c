import { registerHooks } from 'node:module';

/** Gives openapi-typescript a TypeScript with a JavaScript API, which version 7 doesn't have. */
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'typescript' ? '@ts-morph/common/dist/typescript.js' : specifier, context),
});
