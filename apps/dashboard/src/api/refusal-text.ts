import { words } from '../lib/text/words.ts'
import type { ApiError } from './client.ts'

type Refusal = Pick<ApiError, 'status' | 'code' | 'message' | 'details'>

interface Issue {
  readonly path: string
  readonly message: string
}

/** What a refusal means for who reads it, as a title; its code is small print. */
export function titleOf({
  status,
  code,
  details = {},
}: Omit<Refusal, 'message' | 'details'> & Partial<Refusal>): string {
  if (isGivenUp(details)) return 'Not done'
  if (details.reason === 'change_request_cooling_off') return 'Not yet'
  if (code === 'VALIDATION_ERROR') return 'Check what you entered'
  if (status === 0) return 'The service cannot be reached'
  if (status === 401) return 'Not accepted'
  if (status === 403) return 'You do not have access to this'
  if (status === 404) return 'Not found'
  if (status === 409) return 'This is not possible now'
  if (status === 429) return 'Too many requests'
  return status >= 500 ? 'The service has a problem' : 'This is not possible'
}

/** A person was asked for a second factor and closed the question. */
const isGivenUp = (details: Refusal['details']): boolean => details.reason === 'step_up_required'

/** Which fields were refused and why, by the last part of their path: `must have 9 digits` of `routing_number`. */
export function refusedFields({ details }: Pick<Refusal, 'details'>): Readonly<Record<string, string>> {
  return Object.fromEntries(issuesOf(details).map(({ path, message }) => [nameOf(path), sentenceOf(message)]))
}

/** The message, for people: fields by their words. */
export function textOf({ code, message, details }: Pick<Refusal, 'code' | 'message' | 'details'>): string {
  if (isGivenUp(details)) return 'You did not verify that it is you.'
  const issues = issuesOf(details)
  if (code !== 'VALIDATION_ERROR' || issues.length === 0 || issues.some(({ path }) => path === '')) return message
  return issues.map((each) => `${words(nameOf(each.path))} ${sentenceOf(each.message)}.`).join(' ')
}

function issuesOf(details: Refusal['details']): readonly Issue[] {
  if (!Array.isArray(details.issues)) return []
  return (details.issues as Partial<Issue>[]).filter(
    (each): each is Issue => typeof each?.path === 'string' && typeof each.message === 'string',
  )
}

/** `bank_details.routing_number` becomes `routing_number`, `events[0]` becomes `events`, `dailyCap` `daily_cap`. */
const nameOf = (path: string): string =>
  (path.split('.').at(-1) ?? '').replace(/\[\d+\]$/, '').replaceAll(/([a-z])([A-Z])/g, '$1_$2')

function sentenceOf(message: string): string {
  const text = message.replace(/\.$/, '')
  const pattern = /^must have the form (.*)$/.exec(text)?.[1]
  if (pattern === undefined) return text
  const [, least, most] = /^\^(?:\[0-9\]|\\d)\{(\d+)(?:,(\d+))?\}\$$/.exec(pattern) ?? []
  if (least === undefined) return 'does not have the form that is asked for'
  return `must have ${least}${most === undefined ? '' : ` to ${most}`} digits`
}
