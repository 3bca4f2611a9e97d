import type { Database } from '../../database/index.ts'
import { type Clock, createSealer, type KeyRing, type Log, type RandomSource, type Sealer } from '../../kernel/index.ts'
import { type SandboxSecrets, sandboxSecrets } from './secrets.ts'
import type { TokenSender } from './token-sender.ts'

export interface SandboxProviderOptions {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly random: RandomSource
  readonly tokenSender: TokenSender
  readonly encryptionKeys: KeyRing | string
  /** Deposit addresses and account numbers follow from it; 64 hexadecimal digits. */
  readonly rootKey: string
}

export interface SandboxProviderParts extends Omit<SandboxProviderOptions, 'encryptionKeys' | 'rootKey'> {
  readonly secrets: SandboxSecrets
  readonly sealer: Sealer
}

/** The parts of the sandbox's provider, for itself and for the form that it hosts. */
export function sandboxProviderParts({
  encryptionKeys,
  rootKey,
  ...options
}: SandboxProviderOptions): SandboxProviderParts {
  const sealer = createSealer(encryptionKeys, 'ramp sandbox applications', options.random)
  return { ...options, secrets: sandboxSecrets(rootKey), sealer }
}
