//! A picture and its instants → images by povray, and a video of them by ffmpeg.
//!
//! ```text
//!  folder/  scene.inc render.ini      common to all frames
//!           frame_000000.pov          poses of the bodies and the camera
//!           frame_000000.png          its image; or _left.png, _right.png and their pair
//! ```
//!
//! An image is drawn under another name, checked and renamed, so a file `*.png` is always complete. Made again
//! in the same folder, a film keeps the images whose texts are unchanged and draws the
//! others: an interrupted film resumes where it stopped, and a changed picture is drawn again.

mod file;
mod image;

use crate::instant::{Instant, Instants};
use crate::picture::{self, Picture, Reel};
use crate::program::Job;
use crate::{Error, Eye, pov};
use file::{deliver, holds, remove, write};
use image::{is_whole, pair};
use std::fs::{self, File, TryLockError};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Largest number of frames that fits the file names.
const MOST: usize = 1_000_000;
/// Widest and highest image [pixels].
const LARGEST: u32 = 16_384;
/// Longest time without a call of the progress function.
const BEAT: Duration = Duration::from_millis(100);
/// Options of the renderer, for every frame.
const SETTINGS: &str = "render.ini";

/// How carefully images are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quality {
    /// One ray per pixel.
    Draft,
    /// More rays at edges.
    #[default]
    Good,
    /// Many rays at edges.
    Fine,
}

/// How the two images of a stereo camera become one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pairing {
    /// Left image on the left, right image on the right.
    #[default]
    SideBySide,
    /// For red–cyan glasses: brightness of the left image in red, green and blue of the right one.
    RedCyan,
}

/// A film to be made. Takes its defaults from [`Film::new`].
#[derive(Clone, Debug)]
pub struct Film<'a> {
    /// What is seen.
    pub picture: &'a Picture,
    /// Where the frames go; made if need be.
    pub folder: PathBuf,
    /// The video; without it only frames are made.
    pub output: Option<PathBuf>,
    /// Width and height of an image [pixels]; even for a video.
    pub size: [u32; 2],
    /// Quality of the images.
    pub quality: Quality,
    /// How the images of a stereo camera are combined.
    pub pairing: Pairing,
    /// Number of images drawn in parallel; 0 for one per core.
    pub processes: usize,
    /// The ray tracer.
    pub povray: PathBuf,
    /// The video encoder.
    pub ffmpeg: PathBuf,
    /// Time limit of a program for one file.
    pub longest: Duration,
}

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Frames are drawn.
    Frames,
    /// The video is made.
    Video,
}

/// Progress of a film.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is being done.
    pub stage: Stage,
    /// Frames finished.
    pub done: usize,
    /// Of these, frames found finished.
    pub kept: usize,
    /// Frames there will be.
    pub total: usize,
}

/// Receives the progress of a film, at least ten times per second; `Break` ends the work.
pub type Watch<'w> = dyn FnMut(Progress) -> ControlFlow<()> + 'w;

impl<'a> Film<'a> {
    /// A film of 1280 × 720 pixels, frames only.
    pub fn new(picture: &'a Picture, folder: impl Into<PathBuf>) -> Film<'a> {
        Film {
            picture,
            folder: folder.into(),
            output: None,
            size: [1280, 720],
            quality: Quality::Good,
            pairing: Pairing::SideBySide,
            processes: 0,
            povray: "povray".into(),
            ffmpeg: "ffmpeg".into(),
            longest: Duration::from_secs(3600),
        }
    }

    /// Makes the frames and, if requested, the video. Returns the final progress.
    ///
    /// # Errors
    /// If something cannot be drawn or read, a program is missing or fails, the disk is full or the caller
    /// stops. Finished frames stay; programs do not.
    pub fn make(&self, instants: &mut dyn Instants, watch: &mut Watch) -> Result<Progress, Error> {
        self.check()?;
        picture::check_instants(instants, MOST)?;
        fs::create_dir_all(&self.folder).map_err(Error::file("make", &self.folder))?;
        let _lock = self.lock()?;
        self.settle(SETTINGS, &self.settings())?;
        self.settle(pov::SCENE, &pov::scene(self.picture)?)?;
        let progress = self.draw(instants, watch)?;
        if let Some(output) = &self.output {
            self.encode(output, instants.rate(), progress, watch)?;
        }
        Ok(progress)
    }

    /// Draws one instant into the image file `output`.
    ///
    /// # Errors
    /// As [`Film::make`].
    pub fn still(&self, instant: &Instant, output: &Path) -> Result<(), Error> {
        self.picture.check_instant(instant)?;
        let film = Film { output: None, ..self.clone() };
        let mut reel = Reel {
            rate: 1.0,
            start: instant.time,
            frames: vec![instant.poses.to_vec()],
            ties: vec![instant.ties.to_vec()],
            reliefs: vec![instant.reliefs.to_vec()],
        };
        film.make(&mut reel, &mut |_| ControlFlow::Continue(()))?;
        let image = self.folder.join(self.image(0));
        fs::copy(&image, output).map(drop).map_err(Error::file("write", output))
    }

    /// The name of a frame's image in the folder.
    pub fn image(&self, frame: usize) -> String {
        format!("frame_{frame:06}{}.png", self.ending())
    }

    /// Suffix of a finished image after its frame number.
    fn ending(&self) -> &'static str {
        match (self.picture.camera.stereo, self.pairing) {
            (None, _) => "",
            (Some(_), Pairing::SideBySide) => "_side_by_side",
            (Some(_), Pairing::RedCyan) => "_red_cyan",
        }
    }

    fn eyes(&self) -> &'static [(Eye, &'static str)] {
        match self.picture.camera.stereo {
            None => &[(Eye::Middle, "")],
            Some(_) => &[(Eye::Left, "_left"), (Eye::Right, "_right")],
        }
    }

    fn check(&self) -> Result<(), Error> {
        let [width, height] = self.size;
        if width == 0 || height == 0 || width > LARGEST || height > LARGEST {
            let fault = format!("{width} × {height} pixels: give 1 to {LARGEST} each");
            return Err(Error::input("size", fault));
        }
        if self.output.is_some() && (width % 2 == 1 || height % 2 == 1) {
            let fault = format!("{width} × {height} pixels: a video needs even numbers");
            return Err(Error::input("size", fault));
        }
        Ok(())
    }

    /// Locks the folder until it is dropped.
    fn lock(&self) -> Result<File, Error> {
        let path = self.folder.join("film.lock");
        let file = File::create(&path).map_err(Error::file("write", &path))?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(Error::Busy(self.folder.clone())),
            Err(TryLockError::Error(source)) => Err(Error::file("lock", &path)(source)),
        }
    }

    fn settings(&self) -> String {
        let [width, height] = self.size;
        let antialias = match self.quality {
            Quality::Draft => "Antialias=Off",
            Quality::Good => {
                "Antialias=On\nSampling_Method=2\nAntialias_Threshold=0.15\nAntialias_Depth=2\nJitter=Off"
            }
            Quality::Fine => {
                "Antialias=On\nSampling_Method=2\nAntialias_Threshold=0.03\nAntialias_Depth=4\nJitter=Off"
            }
        };
        format!(
            "; povray {SETTINGS} +Iframe_000000.pov\nWidth={width}\nHeight={height}\n{antialias}\n\
             Quality=9\nDisplay=Off\nPause_when_Done=Off\nVerbose=Off\nOutput_File_Type=N8\nFile_Gamma=sRGB\n"
        )
    }

    /// Writes a text common to all frames into the folder. If it differs from the existing one, all images are invalid.
    fn settle(&self, name: &str, text: &str) -> Result<(), Error> {
        let path = self.folder.join(name);
        if holds(&path, text) {
            return Ok(());
        }
        let entries = fs::read_dir(&self.folder).map_err(Error::file("read", &self.folder))?;
        for entry in entries {
            let entry = entry.map_err(Error::file("read", &self.folder))?;
            let file = entry.file_name();
            let file = file.to_string_lossy();
            if file.starts_with("frame_") && file.ends_with(".png") {
                remove(&entry.path())?;
            }
        }
        write(&path, text)
    }

    /// Draws all missing frames, several at a time.
    fn draw(&self, instants: &mut dyn Instants, watch: &mut Watch) -> Result<Progress, Error> {
        let total = instants.count();
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let workers = if self.processes == 0 { cores } else { self.processes }.min(total).min(1024);
        let stop = AtomicBool::new(false);
        let (tasks_in, tasks) = mpsc::channel();
        let (ends_in, ends) = mpsc::channel();
        let tasks = Mutex::new(tasks);
        thread::scope(|scope| {
            for _ in 0..workers {
                let ends_in = ends_in.clone();
                let (tasks, stop) = (&tasks, &stop);
                scope.spawn(move || self.work(tasks, &ends_in, stop));
            }
            drop(ends_in);
            let progress = Progress { stage: Stage::Frames, done: 0, kept: 0, total };
            let mut board = Board { tasks: tasks_in, ends, running: 0, progress, watch };
            let end = self.hand_out(instants, workers, &mut board);
            // workers end their programs, then return
            stop.store(end.is_err(), Ordering::Relaxed);
            drop(board.tasks);
            end.map(|()| board.progress)
        })
    }

    /// Distributes frames to the workers, never more than they can take.
    fn hand_out(&self, instants: &mut dyn Instants, workers: usize, board: &mut Board) -> Result<(), Error> {
        for frame in 0..instants.count() {
            let text = pov::frame(self.picture, &picture::instant(self.picture, instants, frame)?)?;
            if self.prepare(frame, &text)? {
                board.progress.done += 1;
                board.progress.kept += 1;
                board.tell()?;
                continue;
            }
            while board.running == workers {
                board.wait()?;
            }
            board.running += 1;
            // a worker that has ended has left its reason in `ends`
            let _ = board.tasks.send(frame);
        }
        while board.running > 0 {
            board.wait()?;
        }
        Ok(())
    }

    /// Writes the text of a frame into the folder; returns whether its image exists already.
    fn prepare(&self, frame: usize, text: &str) -> Result<bool, Error> {
        let path = self.folder.join(format!("frame_{frame:06}.pov"));
        if holds(&path, text) {
            return Ok(is_whole(&self.folder.join(self.image(frame)), self.image_size()));
        }
        for ending in ["", "_left", "_right", "_side_by_side", "_red_cyan"] {
            remove(&self.folder.join(format!("frame_{frame:06}{ending}.png")))?;
        }
        write(&path, text)?;
        Ok(false)
    }

    /// Width and height of a finished image.
    fn image_size(&self) -> [u32; 2] {
        let double = self.picture.camera.stereo.is_some() && self.pairing == Pairing::SideBySide;
        [self.size[0] * if double { 2 } else { 1 }, self.size[1]]
    }

    /// A worker: frame after frame, until there are none or one fails.
    fn work(&self, tasks: &Mutex<Receiver<usize>>, ends: &Sender<Result<(), Error>>, stop: &AtomicBool) {
        loop {
            let next = tasks.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(frame) = next else { return };
            let end = self.render(frame, stop);
            let failed = end.is_err();
            if ends.send(end).is_err() || failed {
                return;
            }
        }
    }

    /// Draws a frame for each eye and combines them.
    fn render(&self, frame: usize, stop: &AtomicBool) -> Result<(), Error> {
        for (eye, ending) in self.eyes() {
            let image = format!("frame_{frame:06}{ending}.png");
            if !is_whole(&self.folder.join(&image), self.size) {
                self.trace(frame, *eye, &image, stop)?;
            }
        }
        if self.picture.camera.stereo.is_some() {
            let [left, right] =
                ["_left", "_right"].map(|e| self.folder.join(format!("frame_{frame:06}{e}.png")));
            let image = self.folder.join(self.image(frame));
            let part = self.folder.join(format!("frame_{frame:06}.pair.part"));
            pair(&left, &right, self.pairing, &part)?;
            fs::rename(&part, &image).map_err(Error::file("write", &image))?;
        }
        Ok(())
    }

    /// One run of povray.
    fn trace(&self, frame: usize, eye: Eye, image: &str, stop: &AtomicBool) -> Result<(), Error> {
        let part = format!("{image}.part.png");
        let arguments = [
            SETTINGS.into(),
            format!("+Iframe_{frame:06}.pov"),
            format!("+O{part}"),
            format!("Declare=Eye={}", eye.side()),
            "+WT1".into(),
        ];
        let log = format!("{image}.log");
        let job = Job {
            program: &self.povray,
            package: "povray",
            arguments: &arguments,
            folder: &self.folder,
            log: &log,
            makes: image,
            longest: self.longest,
        };
        let drawn = self.folder.join(&part);
        let end = job.run(stop).and_then(|()| match is_whole(&drawn, self.size) {
            true => Ok(()),
            false => Err(job.failed("left an incomplete image".into(), &self.folder.join(&log))),
        });
        // povray's continuation file for a partial image; it remains if povray is ended early
        remove(&drawn.with_extension("pov-state"))?;
        if end.is_err() {
            remove(&drawn)?;
            return end;
        }
        let image = self.folder.join(image);
        fs::rename(&drawn, &image).map_err(Error::file("write", &image))
    }

    /// One run of ffmpeg over all frames: H.264 compatible with all players, index at the front.
    fn encode(&self, output: &Path, rate: f64, progress: Progress, watch: &mut Watch) -> Result<(), Error> {
        let output = std::path::absolute(output).map_err(Error::file("find", output))?;
        let name = output.file_name().map(|name| name.to_string_lossy().into_owned());
        let name =
            name.ok_or_else(|| Error::input("output", "is not a file name: give one, such as film.mp4"))?;
        let part = "video.part.mp4";
        let rate = rate.to_string();
        let frames = progress.total.to_string();
        let pattern = format!("frame_%06d{}.png", self.ending());
        let arguments = [
            "-hide_banner",
            "-nostdin",
            "-y",
            "-loglevel",
            "error",
            "-framerate",
            &rate,
            "-start_number",
            "0",
            "-i",
            &pattern,
            "-frames:v",
            &frames,
            "-c:v",
            "libx264",
            "-crf",
            "18",
            "-preset",
            "medium",
            "-pix_fmt",
            "yuv420p",
            "-movflags",
            "+faststart",
            part,
        ]
        .map(String::from);
        let job = Job {
            program: &self.ffmpeg,
            package: "ffmpeg",
            arguments: &arguments,
            folder: &self.folder,
            log: "video.log",
            makes: &name,
            longest: self.longest,
        };
        let stop = AtomicBool::new(false);
        let made = self.folder.join(part);
        let end = thread::scope(|scope| {
            let worker = scope.spawn(|| job.run(&stop));
            let progress = Progress { stage: Stage::Video, ..progress };
            while !worker.is_finished() {
                if watch(progress).is_break() {
                    stop.store(true, Ordering::Relaxed);
                }
                thread::sleep(BEAT / 10);
            }
            worker.join().unwrap_or(Err(Error::Stopped))
        });
        if let Err(error) = end {
            remove(&made)?;
            return Err(error);
        }
        deliver(&made, &output)
    }
}

/// State of the distribution of frames.
struct Board<'w, 'f> {
    tasks: Sender<usize>,
    ends: Receiver<Result<(), Error>>,
    /// Frames distributed and not finished.
    running: usize,
    progress: Progress,
    watch: &'w mut Watch<'f>,
}

impl Board<'_, '_> {
    /// Waits for the end of a frame, for a limited time.
    fn wait(&mut self) -> Result<(), Error> {
        match self.ends.recv_timeout(BEAT) {
            Ok(end) => {
                end?;
                self.running -= 1;
                self.progress.done += 1;
                self.tell()
            }
            Err(RecvTimeoutError::Timeout) => self.tell(),
            Err(RecvTimeoutError::Disconnected) => Err(Error::Stopped),
        }
    }

    fn tell(&mut self) -> Result<(), Error> {
        if (self.watch)(self.progress).is_break() { Err(Error::Stopped) } else { Ok(()) }
    }
}
