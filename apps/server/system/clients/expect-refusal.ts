import { expect } from 'vitest'
import type { HttpResponse, Refusal } from './client.ts'

/** Expects a refusal with this status and code; returns its details. */
export function expectRefusal(
  answer: HttpResponse<unknown>,
  status: number,
  code: string,
): Readonly<Record<string, unknown>> {
  const refusal = answer.body as Refusal
  expect({ status: answer.status, code: refusal.code }, answer.text).toEqual({ status, code })
  return refusal.details ?? {}
}

/** Expects VALIDATION_ERROR that names these fields, in any order. */
export function expectIssues(answer: HttpResponse<unknown>, ...paths: string[]): void {
  const { issues } = expectRefusal(answer, 400, 'VALIDATION_ERROR') as { issues?: { path: string; message: string }[] }
  expect(issues?.map(({ path }) => path).sort(), answer.text).toEqual([...paths].sort())
  for (const issue of issues ?? []) {
    expect(Object.keys(issue).sort()).toEqual(['message', 'path'])
    expect(issue.message).toMatch(/\S/)
  }
}
