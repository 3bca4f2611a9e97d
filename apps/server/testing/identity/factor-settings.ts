import type { FactorSettings } from '../../src/identity/index.ts'
import { createSealer, systemRandomSource } from '../../src/kernel/index.ts'

/** Passkeys of localhost, and step-ups that last a quarter of an hour. */
export const FACTOR_SETTINGS: FactorSettings = {
  sealer: createSealer('0f'.repeat(32), 'second factors', systemRandomSource),
  relyingPartyId: 'localhost',
  origins: ['http://localhost:3000'],
  stepUpMs: 900_000,
}
