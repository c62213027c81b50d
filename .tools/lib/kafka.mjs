import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cache } from "./paths.mjs";
import { run, say } from "./run.mjs";

const version = "4.3.1";
/** Holds the programs of a broker once it is there: it is renamed when it is whole. */
const kafkaFolder = join(cache, `kafka-${version}`);

const project = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>hadal</groupId>
  <artifactId>kafka-for-tests</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.apache.kafka</groupId>
      <artifactId>kafka_2.13</artifactId>
      <version>${version}</version>
    </dependency>
    <dependency>
      <groupId>org.apache.kafka</groupId>
      <artifactId>kafka-tools</artifactId>
      <version>${version}</version>
    </dependency>
  </dependencies>
</project>
`;

/**
 * The folder of a Kafka broker for the tests, fetched and with Java installed where it is missing;
 * undefined, after one line that says what is missing, where there is no way to it.
 */
export async function findOrInstallKafka() {
  const missing = (await findOrInstall("java", "openjdk-17-jre-headless")) ?? (await fetchJars());
  if (missing === null) return kafkaFolder;
  say(`${missing}: tests with a Kafka broker are skipped`);
  return undefined;
}

/** Null: it is there. */
async function findOrInstall(command, debianPackage) {
  const isThere = async () => (await run(command, ["-version"], { quiet: true })) === 0;
  if (await isThere()) return null;
  if (process.getuid?.() !== 0) return `${command} is missing (Debian's ${debianPackage})`;
  say(`no ${command} found; installing ${debianPackage} …`);
  const environment = { quiet: true, env: { DEBIAN_FRONTEND: "noninteractive" } };
  await run("apt-get", ["update"], environment);
  const install = ["install", "-y", "--no-install-recommends", debianPackage];
  await run("apt-get", install, environment);
  return (await isThere()) ? null : `${command} could not be installed (${debianPackage})`;
}

async function fetchJars() {
  if (existsSync(kafkaFolder) && readdirSync(kafkaFolder).length > 0) return null;
  const missing = await findOrInstall("mvn", "maven");
  if (missing !== null) return missing;
  say(`fetching Kafka ${version} for the tests …`);
  const unfinished = `${kafkaFolder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  const pom = join(unfinished, "pom.xml");
  writeFileSync(pom, project);
  const goal = ["dependency:copy-dependencies", "-DincludeScope=runtime"];
  const into = [`-DoutputDirectory=${join(unfinished, "jars")}`];
  const code = await run("mvn", ["-q", "-B", "-f", pom, ...goal, ...into], { quiet: true });
  if (code === 0) renameSync(join(unfinished, "jars"), kafkaFolder);
  rmSync(unfinished, { recursive: true, force: true });
  return code === 0 ? null : `Kafka ${version} could not be fetched with mvn`;
}
