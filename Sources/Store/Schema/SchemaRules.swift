/// Rules, and what they did.
enum SchemaRules {
  static let sql = """
    CREATE TABLE rule (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      position INTEGER NOT NULL,          -- rules are applied in this order
      name TEXT NOT NULL,
      filter TEXT NOT NULL,               -- EpisodeFilter
      action TEXT NOT NULL,               -- RuleAction.text
      isOn INTEGER NOT NULL DEFAULT 1
    );
    CREATE TABLE ruleAct (                -- no rule does the same to an episode again
      episodeID INTEGER NOT NULL REFERENCES episode(id) ON DELETE CASCADE,
      action TEXT NOT NULL,               -- RuleAction.key
      rule TEXT NOT NULL,                 -- the name of the rule
      run INTEGER NOT NULL,               -- what was done in one run is undone together
      timestamp REAL NOT NULL,
      isTakenBack INTEGER NOT NULL DEFAULT 0, -- the run was undone
      isWaiting INTEGER NOT NULL DEFAULT 0, -- for work outside of the library: a download, a file to delete, a notice
      PRIMARY KEY (episodeID, action)
    ) WITHOUT ROWID;
    CREATE INDEX ruleActWaiting ON ruleAct (episodeID) WHERE isWaiting;
    CREATE INDEX ruleActRun ON ruleAct (run);
    CREATE INDEX ruleActHidden ON ruleAct (timestamp) WHERE action = 'deleted';

    """
}
