import type { Selectable } from 'kysely'
import type { RampDirection, Schema } from '../../database/index.ts'
import type { Quote, Scenario, TransferEvent, TransferSnapshot } from '../provider/port.ts'
import { SCENARIO_STEPS, type ScenarioStep } from './scenarios.ts'

/** A payment in the sandbox provider. */
export interface SandboxTransfer {
  readonly reference: string
  readonly organizationId: number
  readonly accountId: number
  readonly direction: RampDirection
  readonly scenario: Scenario
  /** Index of the last completed step of the scenario. */
  readonly step: number
  readonly sequence: number
  readonly delayMs: number
  readonly dueAt: Date | null
  readonly snapshot: SandboxTransferSnapshot
  readonly sentHash: string | null
}

/** The event payload, plus where the tokens go: to the wallet, or back to their sender. Null: they stay. */
export interface SandboxTransferSnapshot extends TransferSnapshot {
  readonly blockchain: string
  readonly tokenAddress: string
  readonly tokensTo: string | null
}

export function sandboxTransferFrom(row: Selectable<Schema['ramp_sandbox_transfers']>): SandboxTransfer {
  return {
    reference: row.reference,
    organizationId: row.organization_id,
    accountId: row.account_id,
    direction: row.direction,
    scenario: row.scenario as Scenario,
    step: row.step,
    sequence: row.sequence,
    delayMs: row.delay_ms,
    dueAt: row.due_at,
    snapshot: snapshotFromJson<SandboxTransferSnapshot>(row.snapshot),
    sentHash: row.sent_hash,
  }
}

const QUOTE_AMOUNTS = ['usdCents', 'feeCents', 'developerFeeCents', 'netCents', 'tokenAmount'] as const

/** Amounts as text, because JSON numbers are floats. */
export function snapshotToJson({ quote, dust, ...rest }: TransferSnapshot): string {
  const amounts = Object.fromEntries(QUOTE_AMOUNTS.map((name) => [name, quote[name].toString()]))
  return JSON.stringify({ ...rest, dust: dust.toString(), quote: { ...quote, ...amounts } })
}

/** The inverse of {@link snapshotToJson}; keeps additional fields. */
export function snapshotFromJson<T extends TransferSnapshot = TransferSnapshot>(json: object): T {
  const stored = json as T & { dust: string; quote: Record<keyof Quote, string> }
  const amounts = Object.fromEntries(QUOTE_AMOUNTS.map((name) => [name, BigInt(stored.quote[name])]))
  return { ...stored, dust: BigInt(stored.dust), quote: { ...stored.quote, ...amounts } as unknown as Quote }
}

export const stepsOf = ({
  direction,
  scenario,
}: Pick<SandboxTransfer, 'direction' | 'scenario'>): readonly ScenarioStep[] => SCENARIO_STEPS[direction][scenario]

export function transferEvent(
  reference: string,
  sequence: number,
  status: TransferEvent['status'],
  { blockchain: _chain, tokenAddress: _token, tokensTo: _to, ...transfer }: SandboxTransferSnapshot,
): TransferEvent {
  return { kind: 'transfer', id: `${reference}:${sequence}`, subject: reference, sequence, status, transfer }
}
