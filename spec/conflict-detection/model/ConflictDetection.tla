------------------------- MODULE ConflictDetection -------------------------
(***************************************************************************)
(* Clients that share one file. They edit it, poll each other, and         *)
(* resolve conflicts. The model keeps the ground truth (the follows        *)
(* relation) next to the findings of a design, so that both can be         *)
(* compared in every state.                                                *)
(*                                                                         *)
(* One file is enough: events of one file do not affect another file       *)
(* (CD-FOLLOWS-SEPARATE-FILES). The model leaves out the grid, the walk    *)
(* and the cache: by CD-PURGE-HARMLESS they do not change any              *)
(* classification. It also leaves out text that a user writes into a       *)
(* conflict file, because this text does not change any version            *)
(* (CD-CONFLICT-FILE-UNTRACKED).                                           *)
(*                                                                         *)
(* A version is a number: its index in `made`, the list of uploads.        *)
(***************************************************************************)
EXTENDS Integers, FiniteSets, Sequences, TLC

CONSTANTS
    Clients,               \* nicknames
    Texts,                 \* the texts that a user may write
    MaxUploads,            \* the maximum number of versions
    Designs,               \* the designs to explore: "snapshots", "version-maps" or both
    Latecomers,            \* clients that are not members at first and may join later
    Away,                  \* clients that may go offline
    Fickle,                \* clients that may end a subscription and restart it
    Slow,                  \* clients that may notice their own changes late
    Fragile,               \* clients that may stop during a poll
    Restored,              \* clients that users may back up and set back
    Resolver,              \* the only client that resolves in SpecWithOneResolver
    \* The choice points of a reading. The names are those of the reference.
    FollowedVersion,       \* "stale" or "conflict"                          (CD-E02)
    SnapshotConflictFiles, \* "one-per-client" or "one-per-version"          (CD-E08)
    MapComparison,         \* "no-entry-smaller" or "every-entry-larger"     (CD-E01)
    MapMissingEntry,       \* "zero" or "does-not-follow"                    (CD-E05)
    MapOwnEntry,           \* "absent" or "zero"                             (CD-E05)
    EqualMap,              \* "same" or "conflict"                           (CD-E39)
    MapResolution,         \* "whole-map" or "own-entry"                     (CD-E03)
    MapCleanUp             \* "when-followed" or "by-the-user"               (CD-E06)

ASSUME Designs \subseteq {"snapshots", "version-maps"}
ASSUME FollowedVersion \in {"stale", "conflict"}
ASSUME SnapshotConflictFiles \in {"one-per-client", "one-per-version"}
ASSUME MapComparison \in {"no-entry-smaller", "every-entry-larger"}
ASSUME MapMissingEntry \in {"zero", "does-not-follow"}
ASSUME MapOwnEntry \in {"absent", "zero"}
ASSUME EqualMap \in {"same", "conflict"}
ASSUME MapResolution \in {"whole-map", "own-entry"}
ASSUME MapCleanUp \in {"when-followed", "by-the-user"}

VARIABLES
    design,     \* the design in use
    members,    \* the clients that have joined
    made,       \* the versions, in upload order
    file,       \* client -> its local file and what it remembers about it
    link,       \* client -> the version its directory links, or None
    subscribed, \* client -> the clients it polls
    online,     \* client -> whether it can reach the grid
    had,        \* client -> the versions it has had: ground truth, unknown to clients
    backup,     \* client -> whether it has a backup, and its file and what it had had then
    setBack,    \* the clients that were set back
    found       \* the classification of the last step, or NoneFound if it made none

vars == <<design, members, made, file, link, subscribed, online, had, backup, setBack, found>>

\* Later steps do not depend on `found`.
View == <<design, members, made, file, link, subscribed, online, had, backup, setBack>>

\* What the actions of a client that makes or restores no backup leave unchanged.
untouched == <<backup, setBack>>

None == 0            \* no version
Nothing == "nothing" \* no content: the local file is missing, or the version is a deletion
Undecided == "undecided"
NoneFound == "none"
Keep == "keep"       \* a resolution that does not change the local file
Absent == -1         \* the value of a missing entry in a version map
NotBegun == [other |-> "nobody", version |-> None]

Versions == 1 .. Len(made)
Classifications == {"overwrite", "conflict", "stale", "same"}

-----------------------------------------------------------------------------
(* Ground truth. Clauses: CD-FOLLOWS-DIRECTLY, CD-FOLLOWS-CLOSURE,       *)
(* CD-ALREADY-HAD                                                        *)

\* A version stores every version that it follows, so the closure needs no fixed point.
Follows(later, earlier) == earlier \in made[later].follows

Closure(versions) == versions \cup UNION {made[version].follows : version \in versions}

\* Clauses: CD-CLASSIFY-FIRST, CD-CLASSIFY-OVERWRITE, CD-CLASSIFY-SAME, CD-CLASSIFY-STALE,
\* CD-CLASSIFY-CONFLICT
Expected(ours, theirs) ==
    CASE ours = None -> "overwrite"
      [] ours = theirs -> "same"
      [] ours # None /\ ours # theirs /\ Follows(theirs, ours) -> "overwrite"
      [] ours # None /\ ours # theirs /\ Follows(ours, theirs) -> "stale"
      [] OTHER -> "conflict"

-----------------------------------------------------------------------------
(* Leif's design: a version is a snapshot. Its parents are the versions  *)
(* that it was made from.                                                *)

Ancestors(version) == made[version].ancestors

\* Clauses: CD-CLASSIFY-OVERWRITE, CD-CLASSIFY-STALE, CD-WALK-STOP
FoundBySnapshots(ours, theirs) ==
    CASE ours = None -> "overwrite"
      [] ours # None /\ ours = theirs -> "same"
      [] ours # None /\ ours # theirs /\ ours \in Ancestors(theirs) -> "overwrite"
      [] OTHER -> IF FollowedVersion = "stale" /\ theirs \in Ancestors(ours)
                  THEN "stale" ELSE "conflict"

-----------------------------------------------------------------------------
(* Zooko's design: a version is a version map.  Clauses: CD-MAP-MISSING-ENTRY *)

NoEntries == [client \in Clients |-> Absent]

Entry(map, client) == IF map[client] = Absent THEN 0 ELSE map[client]

\* Clauses: CD-MAP-FOLLOWS, CD-MAP-MISSING-ENTRY
MapFollows(later, earlier) ==
    \A client \in Clients :
        earlier[client] # Absent =>
            /\ later[client] = Absent => MapMissingEntry = "zero"
            /\ IF MapComparison = "no-entry-smaller"
               THEN Entry(later, client) >= earlier[client]
               ELSE Entry(later, client) > earlier[client]

\* Clauses: CD-MAP-SAME
MapSame(left, right) == \A client \in Clients : Entry(left, client) = Entry(right, client)

\* Clauses: CD-MAP-JOIN
Larger(left, right) == IF left >= right THEN left ELSE right

\* Clauses: CD-MAP-CLASSIFY
FoundByMaps(local, ours, theirs) ==
    LET remote == made[theirs].map
    IN  CASE ours = None -> "overwrite"
          [] ours # None /\ MapSame(local, remote) -> EqualMap
          [] ours # None /\ ~MapSame(local, remote) /\ MapFollows(remote, local) -> "overwrite"
          [] OTHER -> IF FollowedVersion = "stale" /\ MapFollows(local, remote)
                      THEN "stale" ELSE "conflict"

\* removed: the conflict files that are removed. Clauses: CD-MAP-RESOLVE
MapAfterResolution(local, removed) ==
    IF MapResolution = "whole-map"
    THEN [client \in Clients |->
            LET entries == {local[client]} \cup {made[held.version].map[client] : held \in removed}
            IN  CHOOSE entry \in entries : \A other \in entries : Larger(entry, other) = entry]
    ELSE [client \in Clients |->
            LET own == {held \in removed : client \in held.by
                                           /\ made[held.version].map[client] # Absent}
            IN  IF own = {} THEN local[client]
                ELSE made[(CHOOSE held \in own : TRUE).version].map[client]]

\* The snapshot design has no maps. Clauses: CD-MAP-UPLOAD
MapOfUpload(local, client) ==
    IF design = "snapshots" THEN local ELSE [local EXCEPT ![client] = Entry(local, client) + 1]

\* Clauses: CD-MAP-OVERWRITE
MapAfterOverwrite(client, downloaded) ==
    IF design = "version-maps" /\ MapOwnEntry = "zero" /\ downloaded[client] = Absent
    THEN [downloaded EXCEPT ![client] = 0]
    ELSE downloaded

-----------------------------------------------------------------------------
(* Operations of both designs. *)

\* The client's classification of the version that the other client links.
Found(client, theirs) ==
    IF design = "snapshots"
    THEN FoundBySnapshots(file[client].version, theirs)
    ELSE FoundByMaps(file[client].map, file[client].version, theirs)

\* Whether a held version no longer conflicts with our current version and local map. Clauses:
\* CD-CONFLICT-FILE-GONE, CD-MAP-CLEAN-UP
IsOver(version, ancestors, map, held) ==
    IF design = "snapshots"
    THEN held = version \/ held \in ancestors
    ELSE MapCleanUp = "when-followed" /\ MapFollows(map, made[held].map)

\* Clauses: CD-CONFLICT-FILE-PER-VERSION
OnePerVersion == design = "snapshots" /\ SnapshotConflictFiles = "one-per-version"

\* Removes `client` from the conflict files, and removes each conflict file that was held for it
\* alone.
LetGo(conflicts, client) ==
    {held \in {[held EXCEPT !.by = @ \ {client}] : held \in conflicts} : held.by # {}}

\* Clauses: CD-CONFLICT-FILE-PER-CLIENT, CD-CONFLICT-FILE-PER-VERSION, CD-CONFLICT-FILE-UPDATED
Hold(conflicts, client, version) ==
    IF \E held \in conflicts : client \in held.by /\ held.version = version
    THEN conflicts
    ELSE LET others == LetGo(conflicts, client)
             shared == {held \in others : OnePerVersion /\ held.version = version}
         IN  (others \ shared)
             \cup {[by |-> {client} \cup UNION {held.by : held \in shared}, version |-> version]}

\* Clauses: CD-RESOLVE-SEVERAL
Naming(conflicts, clients) == {held \in conflicts : held.by \cap clients # {}}

\* The file with another current version. From now on, a link that disappears may have been removed
\* for the deletion that is replaced here. Clauses: CD-DELETE-DROP-LINK
WithVersion(old, version, map) ==
    LET wasDeletion == old.version # None /\ made[old.version].content = Nothing
    IN  [old EXCEPT
            !.version = version,
            !.map = map,
            !.certain = IF wasDeletion THEN {} ELSE @]

\* Whether two versions are the same version. With version maps, this means the same map.
SameVersion(left, right) ==
    \/ left = right
    \/ /\ design = "version-maps"
       /\ None \notin {left, right}
       /\ MapSame(made[left].map, made[right].map)

\* The client records the version that it found. Clauses: CD-DELETE-DROP-LINK
WithSeen(mine, other, theirs) ==
    LET no_earlier == made[theirs].content # Nothing \/ SameVersion(mine.version, theirs)
    IN  [mine EXCEPT
            !.seen[other] = theirs,
            !.vanished = @ \ {other},
            !.certain = IF no_earlier THEN @ \cup {other} ELSE @]

\* The file after a subscription to another client ended. Clauses: CD-UNSUBSCRIBE
WithoutClient(mine, other) ==
    [mine EXCEPT
        !.seen[other] = None,
        !.vanished = @ \ {other},
        !.certain = IF @ = Clients THEN @ ELSE @ \ {other},
        !.conflicts = LetGo(@, other)]

\* The file after the version of another client became our version. The local file already has the
\* content. Clauses: CD-OVERWRITE-APPLY, CD-RESOLVE-THIRD-PARTY, CD-MAP-OVERWRITE
Taken(client, old, other, theirs) ==
    LET map == MapAfterOverwrite(client, made[theirs].map)
        kept == IF OnePerVersion THEN LetGo(old.conflicts, other) ELSE old.conflicts
        left == {held \in kept : ~IsOver(theirs, Ancestors(theirs), map, held.version)}
        new == [WithVersion(old, theirs, map) EXCEPT !.conflicts = left, !.begun = NotBegun]
    IN  IF other \in subscribed[client] THEN WithSeen(new, other, theirs) ELSE new

\* The file after an interrupted overwrite was finished. Clauses: CD-OVERWRITE-INTERRUPTED
FinishedFile(client, old) ==
    IF old.begun = NotBegun THEN old ELSE Taken(client, old, old.begun.other, old.begun.version)

-----------------------------------------------------------------------------
(* Uploads. *)

\* The existing versions that a change would make again. Snapshots with the same content and the
\* same parents are the same snapshot (CD-SNAPSHOT-ID). No two uploads have the same map
\* (CD-MAP-UPLOAD).
SameSnapshots(content, first, parents) ==
    {version \in Versions :
        /\ design = "snapshots"
        /\ made[version].content = content
        /\ made[version].first = first
        /\ made[version].parents = parents}

\* The first parent of an upload. Without a current version it is the first resolved version in byte
\* order. The model has no bytes: of several resolved versions it says None, so it never finds that
\* an upload with a current version made the same snapshot.
\* Clauses: CD-RESOLVE-PARENTS
FirstParent(current, resolved) ==
    IF current = None /\ Cardinality(resolved) = 1 THEN CHOOSE version \in resolved : TRUE
    ELSE current

\* Uploads the client's file after its content became `content` and the conflict files `removed`
\* were removed. `before` is the file with these changes already made.
\* Clauses: CD-SNAPSHOT-EDIT, CD-RESOLVE-PARENTS, CD-DIRECTORY-LINK, CD-DELETE-SNAPSHOT
UploadFrom(client, before, removed, hadBefore) ==
    LET content == before.content
        current == before.version
        resolved == {held.version : held \in removed} \ {current}
        parents == resolved \cup ({current} \ {None})
        first == FirstParent(current, resolved)
        known == SameSnapshots(content, first, parents)
        number == IF known = {} THEN Len(made) + 1 ELSE CHOOSE version \in known : TRUE
        nowHad == hadBefore \cup resolved
        map == MapOfUpload(MapAfterResolution(before.map, removed), client)
        follows == IF known = {} THEN Closure(nowHad) ELSE made[number].follows
        behind == UNION {{parent} \cup Ancestors(parent) : parent \in parents}
        left == {held \in before.conflicts : ~IsOver(number, behind, map, held.version)}
    IN  /\ ~(known = {} /\ Len(made) >= MaxUploads)
        /\ made' = IF known # {} THEN made
                   ELSE Append(made, [maker |-> client, content |-> content, first |-> first,
                                      parents |-> parents,
                                      ancestors |-> parents \cup UNION {Ancestors(parent) : parent \in parents},
                                      follows |-> follows, map |-> map])
        /\ had' = [had EXCEPT ![client] = nowHad \cup {number}]
        /\ file' = [file EXCEPT ![client] =
                      [WithVersion(before, number, map) EXCEPT
                          !.conflicts = left, !.changed = FALSE, !.removed = {}]]
        /\ link' = [link EXCEPT ![client] = number]

Upload(client, before, removed) == UploadFrom(client, before, removed, had[client])

\* Uploads a change of the client's file, unless the file was made and deleted before any upload.
\* Clauses: CD-OFFLINE-ONE-UPLOAD
UploadIfAny(client, before, removed) ==
    IF before.version = None /\ before.content = Nothing /\ removed = {}
    THEN /\ file' = [file EXCEPT ![client] = [before EXCEPT !.changed = FALSE, !.removed = {}]]
         /\ UNCHANGED <<made, link, had>>
    ELSE Upload(client, before, removed)

\* A client's file changes. The client uploads the change at once, with earlier changes that it has
\* not uploaded, or when it comes back online. Clauses: CD-OFFLINE-SEES-NOTHING
Change(client, content, removed) ==
    LET old == file[client]
        changed == [old EXCEPT !.content = content, !.conflicts = @ \ removed]
    IN  /\ client \in members
        /\ found' = NoneFound
        /\ UNCHANGED <<design, members, subscribed, untouched>>
        /\ IF online[client]
           THEN UploadIfAny(client, changed, removed \cup old.removed) /\ UNCHANGED online
           ELSE /\ file' = [file EXCEPT ![client] =
                               [changed EXCEPT !.changed = TRUE, !.removed = @ \cup removed]]
                /\ UNCHANGED <<made, link, online, had>>

-----------------------------------------------------------------------------
(* User actions. *)

\* Clauses: CD-SNAPSHOT-EDIT
Edit(client, text) == Change(client, text, {})

\* Clauses: CD-DELETE-SNAPSHOT
Delete(client) == file[client].content # Nothing /\ Change(client, Nothing, {})

\* Clauses: CD-UNDELETE, CD-UNDELETE-OFFLINE
Undelete(client, text) ==
    /\ file[client].content = Nothing
    /\ ~(file[client].version = None /\ ~file[client].changed)
    /\ Change(client, text, {})

\* The user removes the conflict files of some clients. The file gets the content `text`, or keeps
\* its content.
\* Clauses: CD-RESOLVE-PARENTS, CD-RESOLVE-SEVERAL, CD-RESOLVE-KEEPS-CONTENT, CD-RESOLVE-NOTHING
Resolve(client, others, text) ==
    LET removed == Naming(file[client].conflicts, others)
    IN  /\ others # {}
        /\ others \subseteq UNION {held.by : held \in removed}
        /\ Change(client, IF text = Keep THEN file[client].content ELSE text, removed)

\* Clauses: CD-OFFLINE-SEES-NOTHING, CD-OFFLINE-AGAIN
GoOffline(client) ==
    /\ client \in members
    /\ online' = [online EXCEPT ![client] = FALSE]
    /\ found' = NoneFound
    /\ UNCHANGED <<design, members, made, file, link, subscribed, had, untouched>>

\* A client that comes back finishes the overwrite during which it stopped, and uploads its changes.
\* Clauses: CD-OFFLINE-ONE-UPLOAD, CD-OFFLINE-AGAIN, CD-OVERWRITE-INTERRUPTED
ComeBack(client) ==
    LET old == file[client]
        settled == FinishedFile(client, old)
        nowHad == IF old.begun = NotBegun THEN had
                  ELSE [had EXCEPT ![client] = @ \cup {old.begun.version}]
    IN  /\ client \in members
        /\ online' = [online EXCEPT ![client] = TRUE]
        /\ found' = NoneFound
        /\ CASE online[client] -> UNCHANGED <<made, file, link, had>>
             [] ~online[client] /\ old.changed /\ old.begun = NotBegun ->
                  UploadIfAny(client, old, old.removed)
             [] ~online[client] /\ old.changed /\ old.begun # NotBegun ->
                  UploadFrom(client, settled, old.removed, nowHad[client])
             [] OTHER -> /\ file' = [file EXCEPT ![client] = settled]
                         /\ link' = IF old.begun = NotBegun THEN link
                                    ELSE [link EXCEPT ![client] = old.begun.version]
                         /\ had' = nowHad
                         /\ UNCHANGED made
        /\ UNCHANGED <<design, members, subscribed, untouched>>

\* The user changes the file, or deletes it, and the client does not notice it yet.
\* Clauses: CD-OVERWRITE-UNSAVED
ChangeUnnoticed(client, content) ==
    /\ client \in members
    /\ content = Nothing => file[client].content # Nothing
    /\ file' = [file EXCEPT ![client] = [@ EXCEPT !.content = content, !.changed = TRUE]]
    /\ found' = NoneFound
    /\ UNCHANGED <<design, members, made, link, subscribed, online, had, untouched>>

\* The client notices its change. Clauses: CD-OVERWRITE-UNSAVED
UploadChange(client) ==
    LET old == file[client]
    IN  /\ client \in members
        /\ found' = NoneFound
        /\ IF online[client] /\ old.changed
           THEN UploadIfAny(client, old, old.removed)
           ELSE UNCHANGED <<made, file, link, had>>
        /\ UNCHANGED <<design, members, subscribed, online, untouched>>

\* Clauses: CD-SET-BACK
BackUp(client) ==
    /\ client \in members
    /\ backup' = [backup EXCEPT ![client] =
                      [there |-> TRUE, file |-> file[client], had |-> had[client]]]
    /\ found' = NoneFound
    /\ UNCHANGED <<design, members, made, file, link, subscribed, online, had, setBack>>

\* The file of a backup without the clients whose subscriptions have ended since.
RECURSIVE Without(_, _)
Without(old, others) ==
    IF others = {} THEN old
    ELSE LET other == CHOOSE each \in others : TRUE
         IN  Without(WithoutClient(old, other), others \ {other})

\* The directory and the subscriptions stay. A client that is online finishes an overwrite during
\* which the backup was made. Clauses: CD-SET-BACK, CD-OVERWRITE-INTERRUPTED
SetBack(client) ==
    LET saved == Without(backup[client].file, Clients \ subscribed[client])
        finishes == online[client] /\ saved.begun # NotBegun
    IN  /\ client \in members
        /\ backup[client].there
        /\ file' = [file EXCEPT ![client] = IF finishes THEN FinishedFile(client, saved) ELSE saved]
        /\ link' = IF finishes THEN [link EXCEPT ![client] = saved.begun.version] ELSE link
        /\ had' = [had EXCEPT ![client] =
                      backup[client].had \cup (IF finishes THEN {saved.begun.version} ELSE {})]
        /\ setBack' = setBack \cup {client}
        /\ found' = NoneFound
        /\ UNCHANGED <<design, members, made, subscribed, online, backup>>

\* A client joins, perhaps with its own file. It and the other clients subscribe to each other.
\* Clauses: CD-SUBSCRIPTIONS, CD-LOCAL-MERGE-ROOTS
Join(client, content) ==
    /\ client \in Clients \ members
    /\ members' = members \cup {client}
    /\ subscribed' = [each \in Clients |->
                         IF each = client THEN members
                         ELSE IF each \in members THEN subscribed[each] \cup {client}
                         ELSE {}]
    /\ found' = NoneFound
    /\ UNCHANGED <<design, online, untouched>>
    /\ IF content = Nothing THEN UNCHANGED <<made, file, link, had>>
       ELSE Upload(client, [file[client] EXCEPT !.content = content], {})

\* Clauses: CD-SUBSCRIPTIONS
Subscribe(client, other) ==
    /\ {client, other} \subseteq members
    /\ other # client /\ other \notin subscribed[client]
    /\ subscribed' = [subscribed EXCEPT ![client] = @ \cup {other}]
    /\ found' = NoneFound
    /\ UNCHANGED <<design, members, made, file, link, online, had, untouched>>

\* Clauses: CD-UNSUBSCRIBE
Unsubscribe(client, other) ==
    /\ other \in subscribed[client]
    /\ subscribed' = [subscribed EXCEPT ![client] = @ \ {other}]
    /\ file' = [file EXCEPT ![client] = WithoutClient(@, other)]
    /\ found' = NoneFound
    /\ UNCHANGED <<design, members, made, link, online, had, untouched>>

-----------------------------------------------------------------------------
(* Polling. *)

\* Clauses: CD-DELETE-DROP-LINK
MayDropLink(client, mine) ==
    /\ link[client] # None
    /\ mine.version # None
    /\ SameVersion(link[client], mine.version)
    /\ made[mine.version].content = Nothing
    /\ \A other \in subscribed[client] :
          \/ other \in mine.vanished \cap mine.certain
          \/ SameVersion(mine.seen[other], mine.version)

\* Clauses: CD-DELETE-DROP-LINK, CD-DELETE-KEEP-VERSION
SettleWith(client, mine) ==
    /\ file' = [file EXCEPT ![client] = mine]
    /\ link' = [link EXCEPT ![client] = IF MayDropLink(client, mine) THEN None ELSE @]
    /\ UNCHANGED <<made, had>>

\* stops: whether the client stops at the end of the poll, and during an overwrite before it records
\* and links the version. It is then offline.
\* Clauses: CD-POLL-SUBSCRIBED, CD-POLL-NOTHING, CD-OFFLINE-SEES-NOTHING, CD-OVERWRITE-APPLY,
\* CD-LINK-DOWNLOAD, CD-CONFLICT-APPLY, CD-OVERWRITE-UNSAVED, CD-OVERWRITE-INTERRUPTED
Poll(client, other, stops) ==
    LET old == file[client]
        theirs == link[other]
        nothing == ~online[client] \/ theirs = None
        first == IF nothing THEN NoneFound ELSE Found(client, theirs)
        finds == IF first = "overwrite" /\ old.changed THEN "conflict" ELSE first
    IN  /\ other \in subscribed[client]
        /\ found' = finds
        /\ online' = IF stops THEN [online EXCEPT ![client] = FALSE] ELSE online
        /\ UNCHANGED <<design, members, subscribed, untouched>>
        /\ CASE nothing /\ (~online[client] \/ old.seen[other] = None) ->
                  UNCHANGED <<made, file, link, had>>
             [] nothing /\ online[client] /\ old.seen[other] # None ->
                  SettleWith(client, [old EXCEPT !.vanished = @ \cup {other}])
             [] finds = "overwrite" ->
                  LET written == [old EXCEPT !.content = made[theirs].content]
                  IN  /\ file' = [file EXCEPT ![client] =
                                     IF stops
                                     THEN [written EXCEPT
                                             !.begun = [other |-> other, version |-> theirs]]
                                     ELSE Taken(client, written, other, theirs)]
                      /\ link' = IF stops THEN link ELSE [link EXCEPT ![client] = theirs]
                      /\ had' = IF stops THEN had ELSE [had EXCEPT ![client] = @ \cup {theirs}]
                      /\ UNCHANGED made
             [] finds = "conflict" ->
                  SettleWith(client, WithSeen(
                      [old EXCEPT !.conflicts = Hold(@, other, theirs)], other, theirs))
             [] finds \in {"stale", "same"} ->
                  SettleWith(client, WithSeen(
                      [old EXCEPT !.conflicts = IF OnePerVersion THEN LetGo(@, other) ELSE @],
                      other, theirs))

-----------------------------------------------------------------------------

NoFile == [version |-> None, content |-> Nothing, map |-> NoEntries, conflicts |-> {},
           seen |-> [client \in Clients |-> None], vanished |-> {}, certain |-> Clients,
           changed |-> FALSE, removed |-> {}, begun |-> NotBegun]

NoBackup == [there |-> FALSE, file |-> NoFile, had |-> {}]

Init ==
    /\ design = Undecided
    /\ members = {}
    /\ made = <<>>
    /\ file = [client \in Clients |-> NoFile]
    /\ link = [client \in Clients |-> None]
    /\ subscribed = [client \in Clients |-> {}]
    /\ online = [client \in Clients |-> TRUE]
    /\ had = [client \in Clients |-> {}]
    /\ backup = [client \in Clients |-> NoBackup]
    /\ setBack = {}
    /\ found = NoneFound

\* Creates a folder for one design, with clients that subscribe to each other.
Begin(chosen, clients) ==
    /\ design' = chosen
    /\ members' = clients
    /\ made' = <<>>
    /\ file' = [client \in Clients |-> NoFile]
    /\ link' = [client \in Clients |-> None]
    /\ subscribed' = [client \in Clients |->
                         IF client \in clients THEN clients \ {client} ELSE {}]
    /\ online' = [client \in Clients |-> TRUE]
    /\ had' = [client \in Clients |-> {}]
    /\ backup' = [client \in Clients |-> NoBackup]
    /\ setBack' = {}
    /\ found' = NoneFound

-----------------------------------------------------------------------------
(* Every step as a record. *)

Take(step) ==
    CASE step.action = "begin" -> Begin(step.design, step.clients)
      [] step.action = "edit" -> Edit(step.client, step.text)
      [] step.action = "delete" -> Delete(step.client)
      [] step.action = "undelete" -> Undelete(step.client, step.text)
      [] step.action = "resolve" -> Resolve(step.client, step.others, step.text)
      [] step.action = "go-offline" -> GoOffline(step.client)
      [] step.action = "come-back" -> ComeBack(step.client)
      [] step.action = "join" -> Join(step.client, step.text)
      [] step.action = "subscribe" -> Subscribe(step.client, step.other)
      [] step.action = "unsubscribe" -> Unsubscribe(step.client, step.other)
      [] step.action = "poll" -> Poll(step.client, step.other, FALSE)
      [] step.action = "poll-and-stop" -> Poll(step.client, step.other, TRUE)
      [] step.action = "change" -> ChangeUnnoticed(step.client, step.text)
      [] step.action = "upload" -> UploadChange(step.client)
      [] step.action = "back-up" -> BackUp(step.client)
      [] step.action = "set-back" -> SetBack(step.client)

HeldBy(client) == UNION {held.by : held \in file[client].conflicts}

CanUpload == Len(made) < MaxUploads

\* The possible next steps. Uploads are included only while their number is below MaxUploads.
Steps ==
    IF design = Undecided
    THEN [action : {"begin"}, design : Designs, clients : {Clients \ Latecomers}]
    ELSE UNION {
        IF ~CanUpload THEN {} ELSE UNION {
            [action : {"edit"}, client : members, text : Texts],
            [action : {"delete"},
             client : {each \in members : file[each].content # Nothing}],
            [action : {"undelete"},
             client : {each \in members : /\ file[each].content = Nothing
                                          /\ file[each].version # None \/ file[each].changed},
             text : Texts],
            UNION {[action : {"resolve"}, client : {each},
                    others : SUBSET HeldBy(each) \ {{}}, text : Texts \cup {Keep}]
                   : each \in members},
            UNION {[action : {"change"}, client : {each},
                    text : IF file[each].content = Nothing THEN Texts ELSE Texts \cup {Nothing}]
                   : each \in Slow \cap members},
            [action : {"upload"},
             client : {each \in Slow \cap members : online[each] /\ file[each].changed}],
            [action : {"join"}, client : Latecomers \ members, text : Texts \cup {Nothing}]},
        [action : {"go-offline"}, client : {each \in Away \cap members : online[each]}],
        {step \in [action : {"come-back"}, client : {each \in Away \cup Fragile : ~online[each]}] :
            file[step.client].changed => CanUpload},
        UNION {[action : {"subscribe"}, client : {each},
                other : members \ (subscribed[each] \cup {each})] : each \in Fickle \cap members},
        UNION {[action : {"unsubscribe"}, client : {each}, other : subscribed[each]]
               : each \in Fickle},
        [action : {"back-up"}, client : Restored \cap members],
        [action : {"set-back"}, client : {each \in Restored : backup[each].there}],
        UNION {[action : {"poll-and-stop"}, client : {each}, other : subscribed[each]]
               : each \in {each \in Fragile \cap members : online[each]}},
        UNION {[action : {"poll"}, client : {each}, other : subscribed[each]]
               : each \in {each \in members : online[each]}}}

\* The state of the step's client after the step, and its classification.
Observed(step) ==
    IF step.action = "begin" THEN [members |-> members]
    ELSE LET mine == file[step.client]
         IN  [version |-> mine.version,
              content |-> mine.content,
              conflicts |-> mine.conflicts,
              map |-> {<<each, mine.map[each]>> : each \in {each \in Clients :
                                                            mine.map[each] # Absent}},
              link |-> link[step.client],
              found |-> found]

Next == \E step \in Steps : Take(step)

Spec == Init /\ [][Next]_vars

\* Clients are interchangeable, except those that a configuration names.
Symmetry == Permutations(Clients)

-----------------------------------------------------------------------------
(* Types. *)

MapType == [Clients -> Absent .. MaxUploads]
HeldType == [by : SUBSET Clients, version : Versions]

TypeOK ==
    /\ design \in Designs \cup {Undecided}
    /\ members \subseteq Clients
    /\ found \in Classifications \cup {NoneFound}
    /\ Len(made) <= MaxUploads
    /\ \A version \in Versions :
          /\ made[version].maker \in Clients
          /\ made[version].content \in Texts \cup {Nothing}
          /\ made[version].follows \subseteq 1 .. version - 1
          /\ made[version].parents \subseteq made[version].ancestors
          /\ made[version].ancestors \subseteq made[version].follows
          /\ made[version].map \in MapType
    /\ \A client \in Clients :
          /\ file[client].version \in Versions \cup {None}
          /\ file[client].content \in Texts \cup {Nothing}
          /\ file[client].map \in MapType
          /\ file[client].conflicts \subseteq HeldType
          /\ file[client].removed \subseteq HeldType
          /\ file[client].begun.version \in Versions \cup {None}
          /\ file[client].seen \in [Clients -> Versions \cup {None}]
          /\ file[client].vanished \subseteq subscribed[client]
          /\ file[client].certain \subseteq Clients
          /\ link[client] \in Versions \cup {None}
          /\ had[client] \subseteq Versions
    /\ subscribed \in [Clients -> SUBSET Clients]
    /\ online \in [Clients -> BOOLEAN]
    /\ setBack \subseteq Restored

-----------------------------------------------------------------------------
(* Laws. Each law is about every poll that is possible in a state, or    *)
(* about the state itself.                                               *)

EveryPoll(Holds(_, _)) ==
    \A client \in Clients : \A other \in subscribed[client] :
        link[other] # None /\ online[client] => Holds(client, link[other])

\* The law no-false-overwrite.  Clauses: CD-CLASSIFY-OVERWRITE, CD-MAP-FOLLOWS
NoFalseOverwrite ==
    EveryPoll(LAMBDA client, theirs :
        Found(client, theirs) = "overwrite" =>
            Expected(file[client].version, theirs) = "overwrite")

\* The law no-false-conflict.  Clauses: CD-CLASSIFY-CONFLICT, CD-CLASSIFY-STALE, CD-MAP-CLASSIFY
NoFalseConflict ==
    EveryPoll(LAMBDA client, theirs :
        Found(client, theirs) = "conflict" =>
            Expected(file[client].version, theirs) = "conflict")

\* The law no-news-missed.  Clauses: CD-CLASSIFY-STALE, CD-CLASSIFY-SAME
NoNewsMissed ==
    EveryPoll(LAMBDA client, theirs :
        Found(client, theirs) \in {"stale", "same"} =>
            Expected(file[client].version, theirs) = Found(client, theirs))

\* The law settled-conflicts-go.  Clauses: CD-CONFLICT-FILE-GONE, CD-RESOLVE-THIRD-PARTY
SettledConflictsGo ==
    \A client \in Clients : \A held \in file[client].conflicts :
        LET version == file[client].version
        IN  version # None => held.version # version /\ ~Follows(version, held.version)

\* The law nothing-unlearned.  Clauses: CD-FOLLOWS-DIRECTLY, CD-ALREADY-HAD
NothingUnlearned ==
    \A client \in Clients : \A version \in had[client] :
        \/ file[client].version = version
        \/ Follows(file[client].version, version)

\* The law content-kept. A user who restores a backup gives up later versions.  Clauses: CD-CONFLICT-APPLY, CD-OVERWRITE-APPLY, CD-RESOLVE-PARENTS
ContentKept == setBack = {} =>
    \A version \in Versions : \E client \in Clients :
        \/ file[client].version = version
        \/ file[client].version # None /\ Follows(file[client].version, version)

\* The law link-says-file.  Clauses: CD-DIRECTORY-LINK, CD-LINK-DOWNLOAD
LinkSaysFile ==
    \A client \in Clients :
        /\ online[client] /\ link[client] # None /\ ~file[client].changed
        /\ client \in setBack => link[client] = file[client].version
        => made[link[client]].content = file[client].content

\* The law uploads-differ.  Clauses: CD-MAP-UPLOAD, CD-MAP-SAME
UploadsDiffer ==
    design = "version-maps" =>
        \A left, right \in Versions : left # right => ~MapSame(made[left].map, made[right].map)

\* The law deletions-known, a property of steps: when a client drops its link, every client that it
\* subscribes to has had this deletion. If that client may have ended a subscription, it may have
\* had another deletion instead. Clauses: CD-DELETE-DROP-LINK
DeletionsKnown ==
    [][setBack = {} => \A client \in Clients :
          link[client] # None /\ link'[client] = None =>
              \A other \in subscribed[client] :
                  \/ file[client].version \in had[other]
                  \/ /\ other \in Fickle
                     /\ \E version \in had[other] : made[version].content = Nothing]_vars

\* A property of steps: a poll does not replace a change that its client has not uploaded.
\* Clauses: CD-OVERWRITE-UNSAVED
ChangesStay ==
    [][found' # NoneFound =>
          \A client \in Clients : file[client].changed => file'[client].content = file[client].content]_vars

\* A client that is online has finished every overwrite.  Clauses: CD-OVERWRITE-INTERRUPTED
OverwritesEnd == \A client \in Clients : online[client] => file[client].begun = NotBegun

\* The law one-resolver-is-enough: if only one client resolves, and all clients keep polling, then
\* all clients end with the same file and without conflicts.
\* Clauses: CD-RESOLVE-SEVERAL, CD-RESOLVE-THIRD-PARTY, CD-MAP-RESOLVE
Agreed ==
    \A client \in members :
        /\ file[client].conflicts = {}
        /\ \A other \in members : /\ file[client].version = file[other].version
                                   /\ file[client].content = file[other].content

ResolvesAll(client) ==
    Resolve(client, UNION {held.by : held \in file[client].conflicts}, Keep)

\* A client edits only if it has not made any version yet. Versions of other clients do not count.
EditsOnce(client, text) ==
    /\ \A version \in Versions : made[version].maker # client
    /\ Edit(client, text)

NextWithOneResolver ==
    \/ design = Undecided /\ \E chosen \in Designs : Begin(chosen, Clients)
    \/ \E client \in Clients, text \in Texts : EditsOnce(client, text)
    \/ ResolvesAll(Resolver)
    \/ \E client, other \in Clients : Poll(client, other, FALSE)

SpecWithOneResolver ==
    /\ Init
    /\ [][NextWithOneResolver]_vars
    /\ WF_vars(ResolvesAll(Resolver))
    /\ \A client, other \in Clients : WF_vars(Poll(client, other, FALSE))

OneResolverIsEnough == <>[]Agreed
=============================================================================
