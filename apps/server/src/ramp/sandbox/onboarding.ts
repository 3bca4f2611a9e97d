import { createHash } from 'node:crypto'
import type { Database, KybStatus, Tx } from '../../database/index.ts'
import { assert, type Clock, type Sealer, UNREADABLE } from '../../kernel/index.ts'
import type { CustomerParts } from '../customers/customer.ts'
import { readName } from '../customers/customer-fields.ts'
import { sandboxReference } from '../customers/verification-intents.ts'
import type { Applicant, Onboarding, OnboardingEvent } from '../provider/port.ts'
import type { SandboxSecrets } from './secrets.ts'

export interface OnboardingParts {
  readonly db: Database
  readonly clock: Clock
  readonly secrets: SandboxSecrets
  /** Seals the answers of applicants. */
  readonly sealer: Sealer
}

/** The answers of the hosted form, each at most one line. */
export interface KybAnswers {
  readonly legalName: string
  readonly registrationNumber: string
  readonly country: string
  readonly email: string
}

export const labelOfAnswers = (reference: string): string => `ramp application ${reference}`

const FORM_PATH = '/ramp/kyb/'
const hashOf = (token: string) => createHash('sha256').update(token).digest()

/** Creates an application and its form. The same intent yields the same application. */
export async function startOnboarding(
  { db, clock, secrets }: OnboardingParts,
  { intent }: Applicant,
): Promise<Onboarding> {
  const reference = sandboxReference(intent)
  const token = secrets.tokenFor(reference)
  await db
    .insertInto('ramp_sandbox_applications')
    .values({ reference, token_hash: hashOf(token), status: 'pending', updated_at: clock.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return { reference, link: `${FORM_PATH}${token}` }
}

/** The latest event of an application; `undefined` before its first change. */
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

interface ApplicationChange {
  readonly reference: string
  readonly status: KybStatus
  readonly answers?: Buffer
}

/** Sets the status of an application. */
export async function setApplicationStatus(
  tx: Tx,
  { clock }: Pick<OnboardingParts, 'clock'>,
  { reference, status, answers }: ApplicationChange,
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
  assert(row, `${reference} was started here`)
  return eventOf(reference, row)
}

interface Application {
  readonly reference: string
  readonly status: KybStatus
  readonly customer: string
}

/** The application of a form; `undefined` for an unknown token, and for a customer who was archived or erased. */
export async function findApplication(parts: CustomerParts, token: string): Promise<Application | undefined> {
  const row = await applicationOf(parts, token).executeTakeFirst()
  return row && applicationFrom(parts, row)
}

/** The same; the customer is locked until the transaction ends, so that an erasure comes before or after the answers. */
export async function lockApplication(
  parts: CustomerParts & { readonly db: Tx },
  token: string,
): Promise<Application | undefined> {
  const row = await applicationOf(parts, token).forNoKeyUpdate('ramp_customers').executeTakeFirst()
  return row && applicationFrom(parts, row)
}

function applicationOf({ db }: CustomerParts, token: string) {
  return db
    .selectFrom('ramp_sandbox_applications')
    .innerJoin('ramp_customers', 'ramp_customers.kyb_reference', 'ramp_sandbox_applications.reference')
    .select([
      'ramp_sandbox_applications.reference',
      'ramp_sandbox_applications.status',
      'ramp_customers.organization_id',
      'ramp_customers.id',
      'ramp_customers.name',
      'ramp_customers.sealed_name',
    ])
    .where('token_hash', '=', hashOf(token))
    .where('ramp_customers.archived_at', 'is', null)
}

type ApplicationRow = NonNullable<Awaited<ReturnType<ReturnType<typeof applicationOf>['executeTakeFirst']>>>

function applicationFrom({ fields }: CustomerParts, row: ApplicationRow): Application {
  const { reference, status, organization_id: organizationId, id, ...stored } = row
  return { reference, status, customer: readName(fields, { organizationId, id }, stored) ?? UNREADABLE }
}

/** Submits a form; `undefined` if the application is no longer pending. */
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
  const sealed = parts.sealer.seal(JSON.stringify(answers), labelOfAnswers(reference))
  return setApplicationStatus(tx, parts, { reference, status: 'submitted', answers: sealed })
}

function eventOf(reference: string, { status, sequence }: { status: KybStatus; sequence: number }): OnboardingEvent {
  return { kind: 'onboarding', id: `${reference}:${sequence}`, subject: reference, sequence, status }
}
