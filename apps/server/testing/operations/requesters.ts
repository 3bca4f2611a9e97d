import type { Actor } from '../../src/identity/index.ts'

/** Requests operations in tests that are not about who requested them: an API key. */
export const BY_KEY: Actor = { type: 'key', id: 1 }
