import type { Action } from './action.ts'
import { MACHINES } from './machine-actions.ts'
import { OUTSIDE } from './outside-actions.ts'
import { PLANNING } from './plan-actions.ts'
import { SUBMITTING } from './submit-actions.ts'

export const ACTIONS: readonly Action[] = [...PLANNING, ...SUBMITTING, ...OUTSIDE, ...MACHINES]
