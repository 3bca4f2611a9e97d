import { AGENTS } from '../treasury/agent-actions.ts'
import { PEOPLE } from '../treasury/people-actions.ts'
import type { TreasuryRun } from '../treasury/treasury-of.ts'
import type { Action } from './action.ts'
import { MACHINES } from './machine-actions.ts'
import { OUTSIDE } from './outside-actions.ts'
import { PLANNING } from './plan-actions.ts'
import { SUBMITTING } from './submit-actions.ts'

export const ACTIONS: readonly Action[] = [...PLANNING, ...SUBMITTING, ...OUTSIDE, ...MACHINES]
/** The actions of a treasury in the same world. */
export const TREASURY: readonly Action<TreasuryRun>[] = [...AGENTS, ...PEOPLE]
/** What clients do with their own plans; less frequent when there is a treasury. */
export const CLIENTS: ReadonlySet<Action> = new Set([...PLANNING, ...SUBMITTING])
