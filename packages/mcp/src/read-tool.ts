import { z } from 'zod'
import type { Weir } from '../../sdk/src/index.ts'

/** A tool that only reads. `call` gets input that its schema has checked. */
export interface ReadTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: z.ZodObject
  readonly call: (weir: Weir, input: never) => Promise<unknown>
}

export const id = (of: string) => z.number().int().positive().describe(of)

export const moment = z.iso.datetime({ offset: true }).describe('As an ISO 8601 time.')
export const symbol = z.string().max(20).describe('Symbol, such as USDC.')

export const UNITS = 'Amounts are base units: 1000000 is one USDC.'
export const DECIMALS = 'Amounts are decimal text.'

export const page = {
  limit: z.number().int().min(1).max(100).default(20).describe('How many entries.'),
  offset: z.number().int().min(0).default(0).describe('How many entries to skip.'),
}

/** One row for each tool; its input decides the type of what `call` gets. */
export const tool = <Shape extends z.ZodRawShape>(
  name: string,
  text: { readonly title: string; readonly description: string },
  shape: Shape,
  call: (weir: Weir, input: z.output<z.ZodObject<Shape>>) => Promise<unknown>,
): ReadTool => ({ name, ...text, input: z.strictObject(shape), call: call as ReadTool['call'] })
