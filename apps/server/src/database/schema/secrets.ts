import type { Optional, WithDefault } from './column-types.ts'

export type SecretKind = 'encryption' | 'pepper'

export interface SecretsTables {
  secret_keys: {
    /** A key that seals, or a pepper of hashes. */
    kind: SecretKind
    id: string
    /** A keyed hash of a fixed text, which reveals another key under this id. */
    fingerprint: Buffer
    /** When a process first used it. */
    registered_at: Date
    /** A data key, wrapped by the key service. */
    wrapped: Optional<Buffer>
    /** The key of the key service that opens it. */
    wrapped_by: Optional<string>
    /** The data key that seals. */
    is_current: WithDefault<boolean>
    /** A data key that nothing needs: it opens values where the key service still unwraps it, and no start asks for it. */
    is_retired: WithDefault<boolean>
  }
  service_secrets: {
    name: string
    /** Sealed. */
    sealed: Buffer
    created_at: Date
  }
}
