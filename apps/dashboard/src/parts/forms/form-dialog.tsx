import { Button, Group, Stack } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import type { ApiError } from '../../api/client.ts'
import type { Action, Done } from '../../api/use-api.ts'
import { useAction } from '../../api/use-api.ts'
import { Curl } from '../curl.tsx'
import { Modal } from '../dialogs.tsx'
import { ShownOnceGuard } from './shown-once.tsx'

interface FormProps<T> {
  readonly title: string
  readonly action: Action
  /** The body to copy, where that of the action has a secret. */
  readonly shown?: object
  /** No request to copy: those of second factors are for the page only. */
  readonly isPrivate?: boolean
  readonly submit: string
  /** Absent where what follows says it. */
  readonly done?: Done<T>
  /** The way back, where `Cancel` could be taken for the act. */
  readonly keep?: string
  /** What it does cannot be taken back. */
  readonly isFinal?: boolean
  /** The response has a secret that is shown once: nothing closes the form before it is here. */
  readonly isShownOnce?: boolean
  readonly ready?: boolean
  /** After the request succeeded, besides closing. */
  readonly onDone?: (data: T) => void
  /** Marks what was refused in the form. */
  readonly onRefused?: (error: ApiError) => void
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A form that is one request; the request is there to copy before it is sent. */
export function FormDialog<T = unknown>({
  title,
  action,
  shown,
  isPrivate = false,
  submit,
  done,
  keep = 'Cancel',
  isFinal = false,
  isShownOnce = false,
  ready = true,
  onDone,
  onRefused,
  onClose,
  children,
}: FormProps<T>) {
  const close = (data: T) => {
    onClose()
    onDone?.(data)
  }
  const send = useAction<T>(done, close, onClose)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    send.mutate(action, { onError: (error) => onRefused?.(error) })
  }
  const awaitsSecret = isShownOnce && send.isPending
  const leave = () => {
    if (!awaitsSecret) onClose()
  }
  return (
    <Modal opened onClose={leave} title={title}>
      <ShownOnceGuard pending={awaitsSecret} />
      <form onSubmit={onSubmit}>
        <Stack>
          {children}
          <Group justify="space-between">
            {isPrivate ? (
              <span />
            ) : (
              <Curl
                method={action.method}
                path={action.path}
                body={shown ?? action.body}
                {...(action.headers && { headers: action.headers })}
              />
            )}
            <Group gap="xs">
              <Button variant="default" onClick={leave}>
                {keep}
              </Button>
              <Button type="submit" {...(isFinal && { color: 'red.9' })} loading={send.isPending} disabled={!ready}>
                {submit}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
