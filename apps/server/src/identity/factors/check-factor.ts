import type { Transact, Tx } from '../../database/index.ts'
import { type Failure, validationError } from '../../kernel/index.ts'
import { clearAttempt, recordAttempt, rememberAddress, sweepAttempts } from '../attempts/login-attempts.ts'
import type { IdentityParts } from '../shared/parts.ts'
import type { UserKey } from './challenges.ts'
import { consumeAssertion } from './consume-assertion.ts'
import { consumeTotpCode } from './consume-totp-code.ts'
import { consumeRecoveryCode } from './recovery-codes.ts'
import type { PasskeyAssertion } from './webauthn.ts'

/** What a user presents as second factor. */
export type FactorProof =
  | { readonly kind: 'totp'; readonly code: string }
  | { readonly kind: 'recovery_code'; readonly code: string }
  /** `challenge`: the one that was issued to this user for this purpose, and is consumed. */
  | { readonly kind: 'passkey'; readonly assertion: PasskeyAssertion; readonly challenge: string | undefined }

/** A second factor as requests name it: exactly one field. */
export interface PresentedFactor {
  readonly totp?: string
  readonly recoveryCode?: string
  readonly passkey?: PasskeyAssertion
}

export type FactorParts = Pick<IdentityParts, 'db' | 'clock' | 'random' | 'secrets' | 'environment' | 'factors'>

export interface FactorCheck {
  readonly user: UserKey
  readonly proof: FactorProof
  /** The network of the request. */
  readonly address: string
  /** Thrown for a proof that is wrong. */
  readonly refusal: Failure
}

/**
 * Runs `work` in the transaction that uses up a second factor. Wrong proofs count like wrong passwords, for the account
 * and over all addresses: after too many, RATE_LIMIT_EXCEEDED.
 */
export async function checkFactor<Result>(
  parts: FactorParts,
  { user, proof, address, refusal }: FactorCheck,
  work: (tx: Tx) => Promise<Result>,
  transact: Transact<Result>,
): Promise<Result> {
  const attempt = await recordAttempt(parts, { kind: 'second_factor', user, address })
  try {
    return await transact(async (tx) => {
      if (!(await consumeProof(tx, parts, user, proof))) throw refusal
      await clearAttempt(tx, attempt)
      await rememberAddress(tx, attempt)
      return await work(tx)
    })
  } catch (error) {
    if (error === refusal) await sweepAttempts(parts)
    throw error
  }
}

/** VALIDATION_ERROR unless exactly one factor is presented; `challenge` is the one that a passkey must have signed. */
export function proofOf({ totp, recoveryCode, passkey }: PresentedFactor, challenge: string | undefined): FactorProof {
  const proofs: FactorProof[] = []
  if (totp !== undefined) proofs.push({ kind: 'totp', code: totp })
  if (recoveryCode !== undefined) proofs.push({ kind: 'recovery_code', code: recoveryCode })
  if (passkey !== undefined) proofs.push({ kind: 'passkey', assertion: passkey, challenge })
  const [proof, ...others] = proofs
  if (proof === undefined || others.length > 0)
    throw validationError('totp', 'exactly one of totp, recoveryCode and passkey is required')
  return proof
}

async function consumeProof(tx: Tx, parts: FactorParts, user: UserKey, proof: FactorProof): Promise<boolean> {
  switch (proof.kind) {
    case 'totp':
      return await consumeTotpCode(tx, parts, user, proof.code)
    case 'recovery_code':
      return await consumeRecoveryCode(tx, parts, user, proof.code)
    case 'passkey': {
      const { assertion, challenge } = proof
      return (
        challenge !== undefined && (await consumeAssertion(tx, parts, user, { assertion, challenge })) !== undefined
      )
    }
  }
}
