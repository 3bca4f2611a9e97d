export const FACTORS = '/api/core/auth/factors'

/** What the service returns for a new factor: the recovery codes come with the first one only. */
export interface FactorMade {
  readonly recoveryCodes: readonly string[] | null
}
