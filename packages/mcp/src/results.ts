import type { CallToolResult } from '@modelcontextprotocol/server'
import { ApiError, WeirError } from '../../sdk/src/index.ts'
import { cleanData } from './clean-data.ts'
import { withoutPaths } from './without-paths.ts'

/**
 * What a conversation is no place for, under each name that the service has for it: bytes to sign; numbers and holders of
 * bank accounts; links to forms of verification, which anyone who has them can submit.
 */
const OMITTED = new Set([
  'unsignedTransaction',
  'serialized',
  'revocation',
  'account_number',
  'accountNumber',
  'account_holder_name',
  'accountHolderName',
  'fiat_account_number',
  'fiat_account_holder_name',
  'kyb_url',
  'applicationUrl',
])

/** What of the service's data a conversation gets. */
const shown = (data: unknown) => cleanData(withoutPaths(data), OMITTED)

/** What this server itself says, next to what it read. */
export type Remarks = Readonly<Record<string, unknown>>

/**
 * The result of a tool. Everything that comes from the service is below `untrustedData`: names, labels, metadata and
 * reasons in it were written by others. Only `remarks` are this server's own words.
 */
export function dataResult(data: unknown, remarks: Remarks = {}): CallToolResult {
  return resultOf({ ...remarks, untrustedData: shown(data) })
}

/** A tool whose errors of the service are results that the assistant can react to. */
export function withErrorResults<Input>(tool: (input: Input) => Promise<CallToolResult>) {
  return async (input: Input): Promise<CallToolResult> => {
    try {
      return await tool(input)
    } catch (error) {
      return errorResult(error)
    }
  }
}

/** Throws what is not an error of the service: a defect of this server. */
function errorResult(error: unknown): CallToolResult {
  if (!(error instanceof WeirError)) throw error
  const facts =
    error instanceof ApiError
      ? { code: error.code, status: error.status, message: error.message, details: error.details }
      : { code: 'NO_RESPONSE', message: error.message }
  return { ...resultOf({ untrustedData: shown({ error: facts }) }), isError: true }
}

/** A refusal of this server itself. */
export function refusal(reason: string): CallToolResult {
  return { ...resultOf({ refused: reason }), isError: true }
}

/** Clients that know no structured content read the same JSON as text. */
function resultOf(structuredContent: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent }
}
