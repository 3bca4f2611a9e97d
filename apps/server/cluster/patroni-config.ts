import { join } from 'node:path'

/** One PostgreSQL server and the Patroni that runs it. */
export interface DatabaseNode {
  readonly name: string
  readonly home: string
  readonly data: string
  /** A small file system of its own for the write-ahead log; a folder where none could be mounted. */
  readonly disk: string
  readonly port: number
  /** Patroni's own API. */
  readonly restPort: number
}

interface PatroniOptions {
  readonly node: DatabaseNode
  readonly etcd: string
  /** The folder of PostgreSQL's programs. */
  readonly bin: string
  readonly password: string
}

/** Seconds after which Patroni's leader has lost its lock, and between two rounds. */
const TTL = 10
const LOOP = 2

/**
 * The configuration of docs/high-availability.md for two servers. `synchronous_mode_strict` is off: with it, the loss of
 * either server would stop writes until it is back.
 */
export function patroniConfig({ node, etcd, bin, password }: PatroniOptions): string {
  const settings = {
    scope: 'weir',
    name: node.name,
    restapi: { listen: `127.0.0.1:${node.restPort}`, connect_address: `127.0.0.1:${node.restPort}` },
    etcd3: { hosts: [etcd] },
    bootstrap: {
      dcs: {
        ttl: TTL,
        loop_wait: LOOP,
        retry_timeout: 4,
        maximum_lag_on_failover: 1_048_576,
        synchronous_mode: true,
        synchronous_mode_strict: false,
        failsafe_mode: true,
        primary_start_timeout: 5,
        postgresql: {
          use_pg_rewind: true,
          parameters: {
            max_connections: 100,
            shared_buffers: '64MB',
            wal_keep_size: '64MB',
            max_wal_size: '96MB',
            wal_log_hints: 'on',
            wal_sender_timeout: '5s',
            wal_receiver_timeout: '5s',
          },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { waldir: join(node.disk, 'wal') }, 'data-checksums'],
    },
    postgresql: {
      listen: `127.0.0.1:${node.port}`,
      connect_address: `127.0.0.1:${node.port}`,
      data_dir: node.data,
      bin_dir: bin,
      pgpass: join(node.home, 'pgpass'),
      authentication: {
        superuser: { username: 'postgres', password },
        replication: { username: 'replicator', password },
        rewind: { username: 'rewinder', password },
      },
      basebackup: [{ waldir: join(node.disk, 'wal') }],
      parameters: { unix_socket_directories: node.home },
      pg_hba: [
        'host replication replicator 127.0.0.1/32 scram-sha-256',
        'host all all 127.0.0.1/32 scram-sha-256',
        'local all all trust',
      ],
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
    },
    watchdog: { mode: 'off' },
  }
  // JSON is YAML.
  return JSON.stringify(settings, null, 2)
}
