import { createHash } from 'node:crypto'
import type { Database, KybStatus, Tx } from '../../database/index.ts'
import { assert, type Clock, type Sealer } from '../../kernel/index.ts'
import type { Applicant, Onboarding, OnboardingEvent } from '../provider/port.ts'
import type { SandboxSecrets } from './secrets.ts'

export interface OnboardingParts {
  readonly db: Database
  readonly clock: Clock
  readonly secrets: SandboxSecrets
  /** Seals what applicants write. */
  readonly sealer: Sealer
}

/** What the hosted form asks; each at most a line. */
export interface KybAnswers {
  readonly legalName: string
  readonly registrationNumber: string
  readonly country: string
  readonly email: string
}

const FORM_PATH = '/ramp/kyb/'
const hashOf = (token: string) => createHash('sha256').update(token).digest()

/** An application and the form for it. The same intent twice is the same application. */
export async function startOnboarding(
  { db, clock, secrets }: OnboardingParts,
  { intent }: Applicant,
): Promise<Onboarding> {
  const reference = `kyb-${intent}`
  const token = secrets.tokenFor(reference)
  await db
    .insertInto('ramp_sandbox_applications')
    .values({ reference, token_hash: hashOf(token), status: 'pending', updated_at: clock.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return { reference, link: `${FORM_PATH}${token}` }
}

/** What is known of one application; before anything happened there is nothing to say. */
export async function readApplicationEvent(
  { db }: Pick<OnboardingParts, 'db'>,
  reference: string,
): Promise<OnboardingEvent | undefined> {
  const row = await db
    .selectFrom('ramp_sandbox_applications')
    .select(['status', 'sequence'])
    .where('reference', '=', reference)
    .executeTakeFirst()
  return row && row.sequence > 0 ? eventOf(reference, row) : undefined
}

/** A decision, or whatever else happens to an application. */
export async function setApplicationStatus(
  tx: Tx,
  { clock }: Pick<OnboardingParts, 'clock'>,
  reference: string,
  status: KybStatus,
  answers?: Buffer,
): Promise<OnboardingEvent> {
  const row = await tx
    .updateTable('ramp_sandbox_applications')
    .set((of) => ({
      status,
      sequence: of('sequence', '+', 1),
      updated_at: clock.now(),
      ...(answers && { answers }),
    }))
    .where('reference', '=', reference)
    .returning(['status', 'sequence'])
    .executeTakeFirst()
  assert(row, `${reference} was begun here`)
  return eventOf(reference, row)
}

/** The application that a form belongs to; `undefined` for a token that is nobody's. */
export async function findApplication(
  db: Database | Tx,
  token: string,
): Promise<{ reference: string; status: KybStatus; customer: string } | undefined> {
  return db
    .selectFrom('ramp_sandbox_applications')
    .innerJoin('ramp_customers', 'ramp_customers.kyb_reference', 'ramp_sandbox_applications.reference')
    .select([
      'ramp_sandbox_applications.reference',
      'ramp_sandbox_applications.status',
      'ramp_customers.name as customer',
    ])
    .where('token_hash', '=', hashOf(token))
    .executeTakeFirst()
}

/** A filled-in form; `undefined` when the application is past that. */
export async function submitAnswers(
  tx: Tx,
  parts: Pick<OnboardingParts, 'clock' | 'sealer'>,
  reference: string,
  answers: KybAnswers,
): Promise<OnboardingEvent | undefined> {
  const row = await tx
    .selectFrom('ramp_sandbox_applications')
    .select('status')
    .where('reference', '=', reference)
    .forUpdate()
    .executeTakeFirst()
  if (row?.status !== 'pending') return undefined
  const sealed = parts.sealer.seal(JSON.stringify(answers), `ramp application ${reference}`)
  return setApplicationStatus(tx, parts, reference, 'submitted', sealed)
}

function eventOf(reference: string, { status, sequence }: { status: KybStatus; sequence: number }): OnboardingEvent {
  return { kind: 'onboarding', id: `${reference}:${sequence}`, subject: reference, sequence, status }
}
