import { createSealer, systemRandomSource } from '../../src/kernel/index.ts'

/** The secrets of change requests in tests. */
export const CHANGE_SECRETS = {
  sealer: createSealer('ab'.repeat(32), 'change requests', systemRandomSource),
  fingerprintKey: 'cd'.repeat(32),
}
